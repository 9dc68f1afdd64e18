import type { JsonObject } from '../sdk/json.ts';
import { nothing, printed, type Act, type Answer, type Ending, type Host, type Output, type Reading } from './host.ts';
import { isObject, parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, sessionIn, unjudged } from './read-act.ts';
import { groupedEntry, inDirectory, type Settings } from './settings.ts';

/** Claude Code: https://code.claude.com/docs/en/hooks, types in @anthropic-ai/claude-agent-sdk. */
export const claudeCode: Host = { name: 'claude-code', title: 'Claude Code', timeoutSeconds: 600, read, phrase, runsAfter, settings: settings() };

/** Events that no tool, prompt or result waits for. */
const others = ['Notification', 'UserPromptExpansion', 'SessionStart', 'SessionEnd', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'PreModelSwitch', 'PostModelSwitch', 'PostToolBatch', 'PermissionDenied', 'Setup', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove', 'InstructionsLoaded', 'CwdChanged', 'FileChanged', 'DirectoryAdded', 'MessageDisplay'];

function read(payload: JsonObject): Reading {
  const eventName = needText(payload, 'hook_event_name');
  const toolCall = () => ({ name: needText(payload, 'tool_name'), arguments: needObject(payload, 'tool_input') });
  switch (eventName) {
    case 'PreToolUse':
    case 'PreSkillShellCommand':
      return act({ eventName, session: sessionIn(payload), event: { toolCall: toolCall() }, id: needText(payload, 'tool_use_id') });
    case 'PermissionRequest': // of a call that came by PreToolUse already
      return act({ eventName, session: sessionIn(payload), event: { toolCall: toolCall() }, id: textIn(payload, 'tool_use_id') });
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = toolCall();
      return act({ eventName, session: sessionIn(payload), event: { toolResult: { name: call.name, result: result(payload['tool_response'] ?? payload['error']), call } }, id: textIn(payload, 'tool_use_id') });
    }
    case 'UserPromptSubmit':
      return act({ eventName, session: sessionIn(payload), event: { request: { content: needText(payload, 'prompt') } }, id: textIn(payload, 'prompt_id') });
    default:
      return unjudged(eventName, others);
  }
}

function phrase({ eventName }: Act, answer: Answer): Output | null {
  const specific = (fields: JsonObject) => ({ hookSpecificOutput: { hookEventName: eventName, ...fields } });
  if (answer.verdict === 'DENY') {
    const { reason } = answer;
    switch (eventName) {
      case 'PermissionRequest':
        return printed(specific({ decision: { behavior: 'deny', message: reason } }));
      case 'PostToolUse':
        return printed({ decision: 'block', reason, ...specific({ updatedToolOutput: reason }) });
      case 'PostToolUseFailure':
        return printed(specific({ additionalContext: reason }));
      case 'UserPromptSubmit':
        return printed({ decision: 'block', reason });
      default:
        return printed(specific({ permissionDecision: 'deny', permissionDecisionReason: reason }));
    }
  }
  const { instead } = answer;
  switch (eventName) {
    case 'PreToolUse':
      return printed(specific({ permissionDecision: 'allow', ...(instead === null ? {} : { updatedInput: instead }) }));
    case 'PermissionRequest':
      return printed(specific({ decision: { behavior: 'allow', ...(instead === null ? {} : { updatedInput: instead }) } }));
    case 'PostToolUse':
      return instead === null ? nothing : printed(specific({ updatedToolOutput: instead }));
    case 'PreSkillShellCommand':
      return instead === null ? printed(specific({ permissionDecision: 'allow' })) : null;
    default:
      return instead === null ? nothing : null;
  }
}

/** Exit code 2 blocks; 0 with a decision in JSON counts; everything else is an error that blocks only with `onFailure`. */
function runsAfter({ exitCode, stdout, failsClosed }: Ending): boolean {
  if (exitCode === 2) return false;
  if (exitCode !== 0) return !failsClosed;
  if (!stdout.startsWith('{')) return true;
  const said = parsedObject(stdout);
  if (!said) return !failsClosed;
  const specific = said['hookSpecificOutput'];
  return !(isObject(specific) && specific['permissionDecision'] === 'deny');
}

function settings(): Settings {
  return {
    place: inDirectory({ user: ['CLAUDE_CONFIG_DIR', '.claude'], project: '.claude', file: 'settings.json' }),
    base: {},
    disabledBy: 'disableAllHooks',
    failClosed: { onFailure: 'block' },
    hooks: [
      { event: 'PreToolUse', guard: 'exit', timeoutSeconds: 3600 },
      { event: 'PermissionRequest', guard: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'The Countersign hook failed.' } } }, timeoutSeconds: 3600 },
      { event: 'UserPromptSubmit', guard: 'exit', timeoutSeconds: 600 },
      { event: 'PostToolUse', guard: null, timeoutSeconds: 600 },
      { event: 'PostToolUseFailure', guard: null, timeoutSeconds: 600 },
    ],
    entry: (hook, command) => groupedEntry({ ...(hook.event === 'UserPromptSubmit' ? {} : { matcher: '*' }) }, { type: 'command', command, timeout: hook.timeoutSeconds, ...(hook.guard === null ? {} : { onFailure: 'block' }) }),
    drill: { session_id: 'countersign-doctor', transcript_path: '', cwd: '/', permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name: 'CountersignDrill', tool_input: {}, tool_use_id: 'drill' },
    afterInstall: 'Claude Code takes it up with its next session. Where its version knows `onFailure`, whatever goes wrong with the hook blocks.',
    gaps: [],
  };
}
