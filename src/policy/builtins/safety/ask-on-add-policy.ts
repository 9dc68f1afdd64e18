import { defineHandler } from '../../handler.ts';
import { readToolCall } from '../../tool-call.ts';
import { toolKey } from '../../tool-name.ts';
import { abstain, ask } from '../../verdict.ts';

/** Nobody needs to attach it: the gate puts it behind every session's policies (`addPolicyGuard`). */
export const askOnAddPolicy = defineHandler({
  name: 'safety.ask_on_add_policy',
  title: 'Ask before an agent changes its own policies',
  description: 'Asks before an agent attaches a policy to its own session, under whatever server name the tool is called. Always present.',
  phases: ['TOOL_CALL'],
  judge({ event }) {
    const names = readToolCall(event)?.names ?? [];
    return names.some(addsPolicy) ? ask('The agent wants to attach a policy to its own session.') : abstain();
  },
});

/** Whatever stands before it: any server's name, cut in any way. A tool that merely ends so is rare, and being asked once too often is cheap. */
function addsPolicy(name: string): boolean {
  return toolKey(name).endsWith(addPolicyKey);
}

const addPolicyKey = toolKey('sys_add_policy');
