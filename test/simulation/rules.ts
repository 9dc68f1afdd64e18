import { z } from 'zod';
import { defineHandler, type Handler } from '../../src/policy/handler.ts';
import { abstain, allow, append, ask, deny, increment, set, type StateUpdate } from '../../src/policy/verdict.ts';
import type { Json } from '../../src/policy/json.ts';

/** What agents do in the simulation. Each tool is there for one way an evaluation can go. */
export const tools = ['look', 'run', 'pay', 'deploy', 'note', 'seal', 'crash'] as const;

export type Tool = (typeof tools)[number];

/** `rm` is never allowed, whoever accepts or edits it. */
export const commands = ['ls', 'pwd', 'rm'] as const;

export type Command = (typeof commands)[number];

export type State = Readonly<Record<string, Json>>;

/** What a policy of the simulation says, in a form that the model can read, too. */
export type Saying =
  | { readonly kind: 'abstain' }
  | { readonly kind: 'allow' | 'ask' | 'deny'; readonly writes: readonly StateUpdate[]; readonly labels: Readonly<Record<string, string>>; readonly checkpoint: string | null }
  | { readonly kind: 'throw' };

export function sayingOfRules(tool: Tool, command: Command, state: State): Saying {
  const say = (kind: 'allow' | 'ask' | 'deny', writes: readonly StateUpdate[] = [], checkpoint: string | null = null): Saying => ({ kind, writes, labels: {}, checkpoint });
  switch (tool) {
    case 'look':
      return say('allow', [increment('looks', 1)]);
    case 'run':
      if (command === 'rm') return say('deny', [increment('denials', 1)]);
      return { kind: 'ask', writes: [increment('runs', 1)], labels: { ran: 'yes' }, checkpoint: null };
    case 'pay': // one question for the whole budget, or one of its own, which the accept of another settles
      if (state['paid'] === true) return say('allow', [increment('payments', 1)]);
      return say('ask', [set('paid', true), increment('payments', 1)], command === 'ls' ? 'budget' : null);
    case 'deploy': // the accept of another's run denies it
      return Number(state['runs'] ?? 0) > 0 ? say('deny') : say('ask');
    case 'note': // once sealed, what was asked before does not fit any more
      return say('ask', [append('notes', 'x')]);
    case 'seal':
      return say('allow', [set('notes', 'sealed')]);
    case 'crash':
      return { kind: 'throw' };
    default:
      return tool satisfies never;
  }
}

export const rules: Handler = defineHandler({
  name: 'simulation.rules',
  title: 'Rules of the simulation',
  description: 'Judges every tool of the simulation.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  judge({ event, facts }) {
    if (event.type !== 'tool_call') return abstain();
    const saying = sayingOfRules(event.data.name as Tool, event.data.arguments['command'] as Command, facts.state);
    switch (saying.kind) {
      case 'abstain':
        return abstain();
      case 'throw':
        throw new Error('The crash tool crashes its policy.');
      case 'allow':
        return allow({ stateUpdates: saying.writes, setLabels: saying.labels });
      case 'deny':
        return deny('The rules say no.', { stateUpdates: saying.writes, setLabels: saying.labels });
      case 'ask':
        return ask('The rules want to know.', { stateUpdates: saying.writes, setLabels: saying.labels, ...(saying.checkpoint === null ? {} : { checkpoint: saying.checkpoint }) });
      default:
        return saying satisfies never;
    }
  },
});

/** A policy that comes and goes, and asks or denies for one tool. */
export const guard: Handler = defineHandler({
  name: 'simulation.guard',
  title: 'Guard of the simulation',
  description: 'Asks before one tool, or denies it.',
  phases: ['TOOL_CALL'],
  params: z.object({ tool: z.enum(tools), does: z.enum(['ask', 'deny']) }),
  judge({ event }, { tool, does }) {
    if (event.type !== 'tool_call' || event.data.name !== tool) return abstain();
    return does === 'ask' ? ask('The guard wants to know.') : deny('The guard says no.');
  },
});
