import { z } from 'zod';
import { foldName } from '../../folded-name.ts';
import { defineHandler } from '../../handler.ts';
import { object } from '../../objection.ts';
import { objectionParam } from '../../objection-param.ts';
import { storedInteger } from '../../stored-integer.ts';
import { readToolResult } from '../../tool-result.ts';
import { toolKey } from '../../tool-name.ts';
import { abstain, allow, increment } from '../../verdict.ts';
import { actorOffset } from './actor-offset.ts';
import { calledTools, pointsOf } from './called-tools.ts';
import { labelsInResult } from './labels-in-result.ts';

export const riskScorePolicy = defineHandler({
  name: 'risk_score.risk_score_policy',
  title: 'Count the risk of a session',
  description:
    'Adds points for risky tools and for results that carry a sensitive label. From a threshold on, guarded tools are asked for, or denied. ' +
    'A tool is meant whatever server it is behind; labels are found at any depth of a result, also in JSON inside a text and in lines such as “Classification: Restricted”.',
  phases: ['TOOL_CALL', 'TOOL_RESULT'],
  needs: ['state', 'actor'],
  params: z.object({
    threshold: z.int().default(50).meta({ title: 'Threshold', description: 'The score from which on guarded tools are objected to.' }),
    tool_points: points('Points of tools', 'Points that a call of each tool adds. Only a sum above 0 counts.'),
    sensitive_labels: points('Points of labels', 'Points that a result with each label adds, of several the most. Only points above 0 count. Letter case and blanks around do not matter.'),
    guarded_tools: names('Guarded tools', 'The tools that are objected to from the threshold on.'),
    escalate_action: objectionParam('ASK', { title: 'Objection', description: 'What to do with a guarded tool from the threshold on.' }),
    initial_scores_by_actor: points('Points of people', 'Points that count beside the stored score, by the person on whose behalf the agent acts.'),
    state_key: z.string().min(1).default('risk_score').meta({ title: 'State key', description: 'Where in the session’s state the score is kept.' }),
    label_keys: names('Label fields', 'Names of the fields that hold labels. Not given: label_classification, classification, sensitivity, sensitivity_label and dlp_label.'),
    reason: z.string().nullish().meta({ title: 'Reason', description: 'Text that an objection gives instead of its own reason.' }),
  }),
  create(params) {
    const toolPoints = new Map(Object.entries(params.tool_points ?? {}).map(([name, value]) => [toolKey(name), value]));
    const guarded = new Map((params.guarded_tools ?? []).map((name) => [toolKey(name), 1]));
    const labelPoints = Object.entries(params.sensitive_labels ?? {}).map(([label, value]) => ({ label: foldName(label), value }));
    const labelKeys = new Set((params.label_keys ?? usualLabelKeys).map(toolKey));
    const offsets = params.initial_scores_by_actor ?? {};
    return ({ event, facts }) => {
      if (event.type === 'tool_call') {
        const tools = calledTools(event);
        if (pointsOf(tools, guarded) > 0) {
          const stored = Object.hasOwn(facts.state, params.state_key) ? facts.state[params.state_key] : 0;
          const score = actorOffset(facts.actor, offsets) + storedInteger(stored);
          if (score >= params.threshold) return object(params.escalate_action, params.reason ?? `The risk of this session is ${score}, and ${tools[0] ?? ''} is guarded from ${params.threshold} on.`);
        }
        const sum = pointsOf(tools, toolPoints);
        return sum > 0 ? allow({ stateUpdates: [increment(params.state_key, sum)] }) : abstain();
      }
      if (event.type !== 'tool_result' || labelPoints.length === 0) return abstain();
      const found = labelsInResult(readToolResult(event).result, labelKeys);
      const most = Math.max(0, ...labelPoints.filter(({ label }) => found?.has(label) ?? true).map(({ value }) => value));
      return most > 0 ? allow({ stateUpdates: [increment(params.state_key, most)] }) : abstain();
    };
  },
});

const usualLabelKeys = ['label_classification', 'classification', 'sensitivity', 'sensitivity_label', 'dlp_label'];

function points(title: string, description: string): z.ZodDefault<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodInt>>> {
  return z.record(z.string().min(1), z.int()).nullable().default(null).meta({ title, description });
}

function names(title: string, description: string): z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodString>>> {
  return z.array(z.string().min(1)).nullable().default(null).meta({ title, description });
}
