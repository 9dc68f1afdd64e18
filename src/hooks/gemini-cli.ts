import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../sdk/json.ts';
import { inText, nothing, printed, type Act, type Answer, type Ending, type Host, type Output, type Reading } from './host.ts';
import { isObject, parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, sessionIn, unjudged } from './read-act.ts';
import { groupedEntry, inDirectory, type Settings } from './settings.ts';

/** Gemini CLI: google-gemini/gemini-cli, docs/hooks/reference.md. Its time limits are in milliseconds. */
export const geminiCli: Host = { name: 'gemini-cli', title: 'Gemini CLI', timeoutSeconds: 60, read, phrase, runsAfter, settings: settings() };

/** Events that no tool, prompt or result waits for. */
const others = ['SessionStart', 'SessionEnd', 'Notification', 'PreCompress', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'];

function read(payload: JsonObject): Reading {
  const eventName = needText(payload, 'hook_event_name');
  const toolCall = () => ({ name: needText(payload, 'tool_name'), arguments: needObject(payload, 'tool_input') });
  switch (eventName) {
    case 'BeforeTool': {
      const call = toolCall();
      return act({ eventName, session: sessionIn(payload), event: { toolCall: call }, id: momentOf(payload, { ...call }) });
    }
    case 'AfterTool': {
      const call = toolCall();
      const response = payload['tool_response'];
      const content = isObject(response) ? (response['llmContent'] ?? response['error'] ?? response) : response;
      return act({ eventName, session: sessionIn(payload), event: { toolResult: { name: call.name, result: result(content), call } }, id: momentOf(payload, { ...call, content: content ?? null }) });
    }
    case 'BeforeAgent': {
      const prompt = needText(payload, 'prompt');
      return act({ eventName, session: sessionIn(payload), event: { request: { content: prompt } }, id: momentOf(payload, prompt) });
    }
    default:
      return unjudged(eventName, others);
  }
}

/** It names no call: when, and what, tell one from another. */
function momentOf(payload: JsonObject, what: Json): string {
  const timestamp = textIn(payload, 'timestamp');
  return timestamp === null ? randomUUID() : `${timestamp} ${createHash('sha256').update(canonicalJson(what)).digest('hex')}`;
}

function phrase({ eventName, event }: Act, answer: Answer): Output | null {
  if (answer.verdict === 'DENY') return printed({ decision: 'deny', reason: answer.reason });
  const { instead } = answer;
  if (instead === null) return eventName === 'BeforeTool' ? printed({ decision: 'allow' }) : nothing;
  if ('toolResult' in event) return printed({ decision: 'deny', reason: inText(instead) }); // the reason is what the model gets for the result
  if (!('toolCall' in event) || typeof instead === 'string') return null;
  const isMergeable = Object.keys(event.toolCall.arguments).every((key) => key in instead); // what is merged over the arguments takes none away
  return isMergeable ? printed({ decision: 'allow', hookSpecificOutput: { hookEventName: eventName, tool_input: instead } }) : null;
}

/** Exit code 2 blocks, 0 blocks with a denial. Everything else is a warning, after which the tool runs. */
function runsAfter({ exitCode, stdout }: Ending): boolean {
  if (exitCode === 2) return false;
  const decision = exitCode === 0 ? parsedObject(stdout)?.['decision'] : null;
  return decision !== 'deny' && decision !== 'block';
}

function settings(): Settings {
  return {
    place: inDirectory({ user: [null, '.gemini'], project: '.gemini', file: 'settings.json' }),
    base: {},
    disabledBy: null,
    failClosed: null,
    hooks: [
      { event: 'BeforeTool', guard: 'exit', timeoutSeconds: 3600 },
      { event: 'BeforeAgent', guard: 'exit', timeoutSeconds: 600 },
      { event: 'AfterTool', guard: null, timeoutSeconds: 600 },
    ],
    entry: (hook, command) => groupedEntry(hook.event === 'BeforeAgent' ? {} : { matcher: '.*' }, { name: 'countersign', type: 'command', command, timeout: hook.timeoutSeconds * 1000 }),
    drill: { session_id: 'countersign-doctor', transcript_path: '', cwd: '/', hook_event_name: 'BeforeTool', timestamp: '2026-01-01T00:00:00.000Z', tool_name: 'countersign_drill', tool_input: {} },
    afterInstall: 'Gemini CLI takes it up when it is started again.',
    gaps: ['Gemini CLI has no switch that makes a hook deny that it could not run, or that it stopped because its time was up.'],
  };
}
