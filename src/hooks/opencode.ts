import type { JsonObject } from '../sdk/json.ts';
import { inText, nothing, printed, type Act, type Answer, type Ending, type Host, type HostSession, type Output, type Reading } from './host.ts';
import { isObject, parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, unjudged } from './read-act.ts';
import { inDirectory, type Settings } from './settings.ts';

/**
 * opencode: types in @opencode-ai/plugin. It has plugins instead of hooks: ours (opencode-plugin.ts) calls this command with the name, the
 * input and the output of the plugin hook in one object, and throws unless the answer is `{ "decision": "allow" }`.
 */
export const opencode: Host = { name: 'opencode', title: 'opencode', timeoutSeconds: 3600, read, phrase, runsAfter, settings: settings() };

function read(given: JsonObject): Reading {
  const { input, output } = given;
  const payload: JsonObject = { ...given, ...(isObject(input) ? input : {}), ...(isObject(output) ? output : {}) };
  const eventName = needText(given, 'hook_event_name', 'event', 'type');
  const session: HostSession = { id: needText(payload, 'sessionID'), parentId: textIn(payload, 'parentID'), directory: textIn(payload, 'directory'), model: textIn(payload, 'model') };
  const toolCall = () => ({ name: needText(payload, 'tool'), arguments: needObject(payload, 'args') });
  switch (eventName) {
    case 'tool.execute.before':
      return act({ eventName, session, event: { toolCall: toolCall() }, id: needText(payload, 'callID') });
    case 'tool.execute.after': {
      const call = toolCall();
      return act({ eventName, session, event: { toolResult: { name: call.name, result: result(isObject(output) ? output['output'] : payload['output']), call } }, id: textIn(payload, 'callID') });
    }
    case 'chat.message':
      return act({ eventName, session, event: { request: { content: needText(payload, 'text') } }, id: textIn(payload, 'messageID') });
    default:
      return unjudged(eventName, []);
  }
}

function phrase({ eventName, moment }: Act, answer: Answer): Output | null {
  if (answer.verdict === 'DENY') return printed({ decision: 'deny', reason: answer.reason });
  const { instead } = answer;
  if (instead === null) return moment === 'before' ? printed({ decision: 'allow' }) : nothing;
  if (eventName === 'tool.execute.before') return printed({ decision: 'allow', args: instead });
  return eventName === 'tool.execute.after' ? printed({ decision: 'allow', output: inText(instead) }) : null;
}

/** The plugin throws unless it is told to allow. */
function runsAfter({ exitCode, stdout }: Ending): boolean {
  return exitCode === 0 && parsedObject(stdout)?.['decision'] === 'allow';
}

function settings(): Settings {
  return {
    place: inDirectory({ user: ['OPENCODE_CONFIG_DIR', '.config/opencode'], project: '.opencode', file: 'plugin/countersign.js' }),
    base: {},
    disabledBy: null,
    failClosed: null,
    hooks: [],
    entry: () => ({}),
    drill: { hook_event_name: 'tool.execute.before', sessionID: 'countersign-doctor', callID: 'drill', tool: 'countersign_drill', args: {} },
    afterInstall: 'opencode takes it up when it is started again.',
    gaps: [],
  };
}
