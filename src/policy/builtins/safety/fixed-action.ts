import { z } from 'zod';
import { phaseOf, phases, type PolicyEvent } from '../../event.ts';
import { defineHandler } from '../../handler.ts';
import { isReservedLabel, labelKeyCharsMax, labelValueCharsMax } from '../../labels.ts';
import { InvalidParams } from '../../params-issues.ts';
import { findTool, toolKeys } from '../../tool-name.ts';
import { abstain, allow, ask, deny, verdicts, type Opinion } from '../../verdict.ts';

export const fixedAction = defineHandler({
  name: 'safety.fixed_action',
  title: 'Always the same answer',
  description: 'Gives one answer to every event of the given phases and tools, and has no opinion of others. With labels, it marks the session.',
  phases,
  params: z.object({
    action: z.preprocess(inCapitals, z.enum(verdicts)).default('ALLOW').meta({ title: 'Answer', description: 'What to answer.' }),
    reason: z.string().nullish().meta({ title: 'Reason', description: 'What the agent, or the person who is asked, reads.' }),
    set_labels: z
      .record(z.string().min(1).max(labelKeyCharsMax), z.string().max(labelValueCharsMax))
      .nullable()
      .default(null)
      .meta({ title: 'Labels', description: 'Labels to write, with their values. On an ask: once it is accepted.' }),
    on_phases: z
      .array(z.preprocess(asPhase, z.enum(phases)))
      .min(1)
      .nullable()
      .default(null)
      .meta({ title: 'Phases', description: 'The phases to answer. Not given: all.' }),
    on_tools: z
      .array(z.string().min(1))
      .min(1)
      .nullable()
      .default(null)
      .meta({ title: 'Tools', description: 'The tools to answer, whatever server they are behind. Not given: all, and the phases that have none.' }),
  }),
  create({ action, reason, set_labels: setLabels, on_phases: onPhases, on_tools: onTools }) {
    const reserved = Object.keys(setLabels ?? {}).filter(isReservedLabel);
    if (reserved.length > 0) throw new InvalidParams(reserved.map((key) => ({ path: ['set_labels', key], message: 'Only the server writes this label.' })));
    const opinion = opinionOf({ action, reason: reason ?? '', effects: setLabels ? { setLabels } : {} });
    const tools = onTools && toolKeys(onTools);
    return ({ event }) => {
      if (onPhases && !onPhases.includes(phaseOf(event))) return abstain();
      return tools && !toolNames(event).some((name) => findTool(name, tools) !== null) ? abstain() : opinion;
    };
  },
});

function opinionOf({ action, reason, effects }: { action: (typeof verdicts)[number]; reason: string; effects: Parameters<typeof allow>[0] }): Opinion {
  switch (action) {
    case 'ALLOW':
      return allow(effects);
    case 'ASK':
      return ask(reason, effects);
    case 'DENY':
      return deny(reason === '' ? 'A policy denies this always.' : reason, effects);
    default:
      return action satisfies never;
  }
}

function inCapitals(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase() : value;
}

/** Ours, the reference's (`tool_call`) and its wire's (`PHASE_TOOL_CALL`). */
function asPhase(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase().replace(/^PHASE_/, '') : value;
}

/** Both the target's and the payload's, which may disagree. */
function toolNames(event: PolicyEvent): readonly string[] {
  const { target } = event;
  const payload: unknown = event.type === 'tool_result' ? event.request_data : event.data;
  const name = typeof payload === 'object' && payload !== null && 'name' in payload ? payload.name : null;
  return [target, event.type === 'tool_call' || event.type === 'tool_result' ? name : null].filter((known) => typeof known === 'string');
}
