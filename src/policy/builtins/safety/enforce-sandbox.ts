import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { readToolCall } from '../../tool-call.ts';
import { findTool, toolKey, toolKeys } from '../../tool-name.ts';
import { abstain, allow } from '../../verdict.ts';
import { tightenedSandbox } from './tightened-sandbox.ts';

export const enforceSandbox = defineHandler({
  name: 'safety.enforce_sandbox',
  title: 'Start agents in a sandbox',
  description:
    'Rewrites the sandbox of every agent that is started (sys_agent_start), whatever the call asked for. What the params leave open is ' +
    'kept as the agent declares it, as long as that opens neither the machine nor its private network.',
  phases: ['TOOL_CALL'],
  params: z.object({
    sandbox_type: z.enum(['linux_bwrap', 'darwin_seatbelt', 'none']).default('linux_bwrap').meta({ title: 'Kind of sandbox', description: 'What the agent is started in.' }),
    allow_network: z.boolean().default(true).meta({ title: 'Allow the network', description: 'When off, there is none. When on, an agent that declares that it needs none still gets none.' }),
    write_paths: pathsParam('Writable paths', 'What the agent may write. Not given: what it declares, without the system’s own directories, home directories and what lies above its own.'),
    read_paths: pathsParam('Readable paths', 'What the agent may read. Not given: what it declares, without the root of the file system and home directories.'),
    env_passthrough: pathsParam('Environment', 'Names of the environment variables that the agent gets. Not given: those that it declares, without wildcards.'),
  }),
  create(params) {
    const lists = { write_paths: params.write_paths, read_paths: params.read_paths, env_passthrough: params.env_passthrough };
    const enforced: JsonObject = {
      type: params.sandbox_type,
      ...Object.fromEntries(Object.entries(lists).filter((entry): entry is [string, string[]] => entry[1] !== null)),
    };
    return ({ event }) => {
      const call = readToolCall(event);
      if (event.type !== 'tool_call' || !call?.names.some((name) => findTool(name, starting) !== null)) return abstain();
      const sandbox = tightenedSandbox(sandboxOf(call.arguments), { enforced, allowNetwork: params.allow_network });
      return allow({ data: { name: event.data.name, arguments: { ...withoutSandboxes(call.arguments), sandbox } } });
    };
  },
});

const starting = toolKeys(['sys_agent_start']);

function pathsParam(title: string, description: string): z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodString>>> {
  return z.array(z.string()).nullable().default(null).meta({ title, description });
}

function sandboxOf({ sandbox }: JsonObject): JsonObject {
  return isJsonObject(sandbox) ? sandbox : {};
}

/** Other spellings go too: a lenient host would take them for the sandbox. */
function withoutSandboxes(args: JsonObject): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(args).filter(([key]) => toolKey(key) !== 'sandbox'));
}
