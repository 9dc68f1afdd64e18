import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { writesFiles } from '../../writing-tool.ts';
import { osToolKind } from '../../os-tools.ts';
import { readToolCall } from '../../tool-call.ts';
import { abstain, deny } from '../../verdict.ts';

export const readOnlyOs = defineHandler({
  name: 'orchestration.read_only_os',
  title: 'Keep files as they are',
  description:
    'Denies the tools that write files and those that run code, of all known agents and behind any MCP server. Shells stay allowed: ' +
    'combine it with a policy that reads commands.',
  phases: ['TOOL_CALL'],
  params: z.object({
    deny_reason: z.string().nullish().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
  }),
  judge({ event }, { deny_reason: reason }) {
    const call = readToolCall(event);
    const denied = call?.names.find((name) => osToolKind(name) === 'code' || writesFiles(name, call.arguments));
    return denied === undefined ? abstain() : deny(reason ?? `This agent may only read: ${denied} is denied.`);
  },
});
