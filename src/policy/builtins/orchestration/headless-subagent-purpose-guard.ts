import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { isJsonObject } from '../../json.ts';
import { readToolCall } from '../../tool-call.ts';
import { findTool, toolKeys } from '../../tool-name.ts';
import { abstain, deny } from '../../verdict.ts';

export const headlessSubagentPurposeGuard = defineHandler({
  name: 'orchestration.headless_subagent_purpose_guard',
  title: 'Let sub-agents work for known purposes only',
  description: 'Denies dispatching work to another session (sys_session_send) unless its args name one of the allowed purposes, to the letter.',
  phases: ['TOOL_CALL'],
  params: z.object({
    allowed_purposes: z.array(z.string()).nullable().default(standardPurposes()).meta({
      title: 'Allowed purposes',
      description: 'What args.purpose may say. Letter case and blanks count. An empty list denies every dispatch.',
    }),
    deny_reason: z.string().nullish().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
  }),
  create({ allowed_purposes: given, deny_reason: reason }) {
    const purposes = given ?? standardPurposes();
    const allowed = new Set(purposes);
    const denial = deny(reason ?? `A dispatch needs a purpose: args.purpose must be ${purposes.join(', ') || 'one of none'}.`);
    return ({ event }) => {
      const call = readToolCall(event);
      if (!call?.names.some((name) => findTool(name, dispatching) !== null)) return abstain();
      const args = call.arguments['args'];
      const purpose = isJsonObject(args) ? args['purpose'] : null;
      return typeof purpose === 'string' && allowed.has(purpose) ? abstain() : denial;
    };
  },
});

const dispatching = toolKeys(['sys_session_send']);

function standardPurposes(): string[] {
  return ['implement', 'review', 'explore', 'search'];
}
