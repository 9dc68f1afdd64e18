import type { JsonObject } from '../sdk/json.ts';
import { nothing, printed, type Act, type Answer, type Ending, type Host, type Output, type Reading } from './host.ts';
import { isObject, parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, sessionIn, unjudged } from './read-act.ts';
import { groupedEntry, inDirectory, type Settings } from './settings.ts';

/** Codex: openai/codex, codex-rs/hooks. It takes unknown fields, and a plain `allow`, for a failure of the hook, after which the tool runs. */
export const codex: Host = { name: 'codex', title: 'Codex', timeoutSeconds: 600, read, phrase, runsAfter, settings: settings() };

/** Events that no tool, prompt or result waits for. */
const others = ['SessionStart', 'SessionEnd', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'Interrupt'];

function read(payload: JsonObject): Reading {
  const eventName = needText(payload, 'hook_event_name');
  const toolCall = () => ({ name: needText(payload, 'tool_name'), arguments: needObject(payload, 'tool_input') });
  switch (eventName) {
    case 'PreToolUse':
      return act({ eventName, session: sessionIn(payload), event: { toolCall: toolCall() }, id: needText(payload, 'tool_use_id') });
    case 'PermissionRequest': { // of a call that came by PreToolUse already, but for the reason that the model gives
      const { name, arguments: args } = toolCall();
      const { description: _, ...asBefore } = args;
      const call = { name, arguments: typeof args['command'] === 'string' ? asBefore : args };
      return act({ eventName, session: sessionIn(payload), event: { toolCall: call }, id: textIn(payload, 'tool_use_id') });
    }
    case 'PostToolUse': {
      const call = toolCall();
      return act({ eventName, session: sessionIn(payload), event: { toolResult: { name: call.name, result: result(payload['tool_response']), call } }, id: textIn(payload, 'tool_use_id') });
    }
    case 'UserPromptSubmit':
      return act({ eventName, session: sessionIn(payload), event: { request: { content: needText(payload, 'prompt') } }, id: textIn(payload, 'turn_id') });
    default:
      return unjudged(eventName, others);
  }
}

function phrase({ eventName }: Act, answer: Answer): Output | null {
  const specific = (fields: JsonObject) => printed({ hookSpecificOutput: { hookEventName: eventName, ...fields } });
  if (answer.verdict === 'DENY') {
    const { reason } = answer;
    switch (eventName) {
      case 'PreToolUse':
        return specific({ permissionDecision: 'deny', permissionDecisionReason: reason });
      case 'PermissionRequest':
        return specific({ decision: { behavior: 'deny', message: reason } });
      default:
        return printed({ decision: 'block', reason });
    }
  }
  const { instead } = answer;
  if (eventName === 'PermissionRequest') return instead === null ? specific({ decision: { behavior: 'allow' } }) : null;
  if (instead === null) return nothing;
  return eventName === 'PreToolUse' ? specific({ permissionDecision: 'allow', updatedInput: instead }) : null;
}

/** Exit code 2 blocks if stderr says why; 0 blocks with a denial that has a reason. Everything else is a failure, after which the tool runs. */
function runsAfter({ exitCode, stdout, stderr }: Ending): boolean {
  if (exitCode === 2) return stderr.trim() === '';
  const specific = exitCode === 0 ? parsedObject(stdout)?.['hookSpecificOutput'] : null;
  return !(isObject(specific) && specific['permissionDecision'] === 'deny' && textIn(specific, 'permissionDecisionReason')?.trim());
}

function settings(): Settings {
  return {
    place: inDirectory({ user: ['CODEX_HOME', '.codex'], project: '.codex', file: 'hooks.json' }),
    base: {},
    disabledBy: null,
    failClosed: null,
    hooks: [
      { event: 'PreToolUse', guard: 'exit', timeoutSeconds: 3600 },
      { event: 'PermissionRequest', guard: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'The Countersign hook failed.' } } }, timeoutSeconds: 3600 },
      { event: 'UserPromptSubmit', guard: 'exit', timeoutSeconds: 600 },
      { event: 'PostToolUse', guard: null, timeoutSeconds: 600 },
    ],
    entry: (hook, command) => groupedEntry(hook.event === 'UserPromptSubmit' ? {} : { matcher: '*' }, { type: 'command', command, timeout: hook.timeoutSeconds }),
    drill: { session_id: 'countersign-doctor', turn_id: 'drill', transcript_path: null, cwd: '/', hook_event_name: 'PreToolUse', model: 'none', permission_mode: 'default', tool_name: 'CountersignDrill', tool_input: {}, tool_use_id: 'drill' },
    afterInstall: 'Codex runs a hook only once you have trusted it: start codex, type /hooks, and trust these. After each change of the command it asks again.',
    gaps: ['Codex does not run hooks that were not trusted in /hooks, and has no switch that makes a missing hook deny.'],
  };
}
