import type { Json, JsonObject } from '../sdk/json.ts';
import { nothing, printed, type Act, type Answer, type Ending, type Host, type HostSession, type Output, type Reading, type ToolCall } from './host.ts';
import { parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, unjudged } from './read-act.ts';
import { inDirectory, type Settings } from './settings.ts';

/** Cursor: https://cursor.com/docs/hooks. A shell command, an MCP call and a file that is read come by two events each. */
export const cursor: Host = { name: 'cursor', title: 'Cursor', timeoutSeconds: 60, read, phrase, runsAfter, settings: settings() };

/** Events that no tool, prompt or result waits for. */
const others = ['sessionStart', 'sessionEnd', 'stop', 'preCompact', 'subagentStart', 'subagentStop', 'afterShellExecution', 'afterMCPExecution', 'afterFileEdit', 'afterAgentResponse', 'afterAgentThought', 'afterTabFileEdit'];

function read(payload: JsonObject): Reading {
  const eventName = needText(payload, 'hook_event_name');
  const id = textIn(payload, 'tool_use_id');
  switch (eventName) {
    case 'preToolUse': {
      const call = { name: needText(payload, 'tool_name'), arguments: needObject(payload, 'tool_input') };
      return act({ eventName, session: sessionIn(payload), event: { toolCall: call }, id, identify });
    }
    case 'beforeShellExecution': {
      const directory = textIn(payload, 'cwd');
      const args = { command: needText(payload, 'command'), ...(directory === null ? {} : { working_directory: directory }) };
      return act({ eventName, session: sessionIn(payload), event: { toolCall: { name: 'Shell', arguments: args } }, id, identify });
    }
    case 'beforeMCPExecution': {
      const name = needText(payload, 'tool_name');
      const args = needObject(payload, 'tool_input');
      return act({ eventName, session: sessionIn(payload), event: { toolCall: { name: name.startsWith('MCP:') ? name : `MCP:${name}`, arguments: args } }, id, identify });
    }
    case 'beforeReadFile': {
      const args = { file_path: needText(payload, 'file_path') };
      return act({ eventName, session: sessionIn(payload), event: { toolCall: { name: 'Read', arguments: args } }, id, identify });
    }
    case 'postToolUse':
    case 'postToolUseFailure': {
      const name = needText(payload, 'tool_name');
      const args = needObject(payload, 'tool_input');
      const event = { toolResult: { name, result: result(payload['tool_output'] ?? payload['error_message']), call: { name, arguments: args } } };
      return act({ eventName, session: sessionIn(payload), event, id, identify });
    }
    case 'beforeSubmitPrompt':
      return act({ eventName, session: sessionIn(payload), event: { request: { content: needText(payload, 'prompt') } }, id: textIn(payload, 'generation_id') });
    default:
      return unjudged(eventName, others);
  }
}

/** What the two events of one call have in common. */
function identify({ name, arguments: args }: ToolCall): Json {
  if (name === 'Shell') return { command: args['command'] ?? null };
  if (name === 'Read') return { file: textIn(args, 'file_path', 'path', 'target_file') };
  return { name: name.replace(/^(?:MCP:|mcp_+)+/, ''), arguments: args };
}

function sessionIn(payload: JsonObject): HostSession {
  const roots = payload['workspace_roots'];
  const root: unknown = Array.isArray(roots) ? roots[0] : null;
  return {
    id: needText(payload, 'conversation_id', 'session_id'),
    parentId: textIn(payload, 'parent_conversation_id'),
    directory: typeof root === 'string' ? root : textIn(payload, 'cwd'),
    model: textIn(payload, 'model'),
  };
}

function phrase({ eventName, moment }: Act, answer: Answer): Output | null {
  if (eventName === 'beforeSubmitPrompt') {
    if (answer.verdict === 'DENY') return printed({ continue: false, user_message: answer.reason });
    return answer.instead === null ? printed({ continue: true }) : null;
  }
  if (answer.verdict === 'DENY') {
    const { reason } = answer;
    if (moment === 'before') return printed({ permission: 'deny', user_message: reason, agent_message: reason });
    return printed(eventName === 'postToolUse' ? { updated_mcp_tool_output: { content: [{ type: 'text', text: reason }] }, additional_context: reason } : { additional_context: reason });
  }
  const { instead } = answer;
  if (moment === 'before') {
    if (instead === null) return printed({ permission: 'allow' });
    return eventName === 'preToolUse' ? printed({ permission: 'allow', updated_input: instead }) : null;
  }
  return instead === null ? nothing : null;
}

/** Exit code 2 blocks, 0 with `deny` blocks. Everything else is a failure, which blocks with `failClosed`. */
function runsAfter({ exitCode, stdout, failsClosed }: Ending): boolean {
  if (exitCode === 2) return false;
  const said = exitCode === 0 ? parsedObject(stdout) : null;
  return said ? said['permission'] !== 'deny' : !failsClosed;
}

function settings(): Settings {
  const before = ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'].map((event) => ({ event, guard: 'exit', timeoutSeconds: 3600 }) as const);
  return {
    place: inDirectory({ user: [null, '.cursor'], project: '.cursor', file: 'hooks.json' }),
    base: { version: 1 },
    disabledBy: null,
    failClosed: { failClosed: true },
    hooks: [
      ...before,
      { event: 'beforeSubmitPrompt', guard: 'exit', timeoutSeconds: 600 },
      { event: 'postToolUse', guard: null, timeoutSeconds: 600 },
      { event: 'postToolUseFailure', guard: null, timeoutSeconds: 600 },
    ],
    entry: (hook, command) => ({ command, timeout: hook.timeoutSeconds, ...(hook.guard === null ? {} : { failClosed: true }) }),
    drill: { conversation_id: 'countersign-doctor', generation_id: 'drill', hook_event_name: 'preToolUse', workspace_roots: ['/'], tool_name: 'CountersignDrill', tool_input: {}, tool_use_id: 'drill' },
    afterInstall: 'Cursor takes it up at once; the Hooks tab of its settings shows it.',
    gaps: [],
  };
}
