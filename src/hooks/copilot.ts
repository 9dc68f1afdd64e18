import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../sdk/json.ts';
import { inText, nothing, printed, type Act, type Answer, type Ending, type Host, type HostSession, type Output, type Reading } from './host.ts';
import { isObject, parsedObject, textIn } from './json.ts';
import { act, needObject, needText, result, unjudged } from './read-act.ts';
import { inDirectory, type Settings } from './settings.ts';

/**
 * GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/hooks-reference. Its own payloads are in camelCase and do not name
 * their event; those for VS Code are in snake_case, name it, and take its answer also in VS Code's words. It drops what a hook says to a
 * prompt, so prompts are not judged.
 */
export const copilot: Host = { name: 'copilot', title: 'GitHub Copilot CLI', timeoutSeconds: 30, read, phrase, runsAfter, settings: settings() };

const judged: Readonly<Record<string, 'before' | 'after'>> = { preToolUse: 'before', permissionRequest: 'before', postToolUse: 'after', postToolUseFailure: 'after' };

const others = ['sessionStart', 'sessionEnd', 'userPromptSubmitted', 'userPromptSubmit', 'userPromptTransformed', 'agentStop', 'stop', 'subagentStart', 'subagentStop', 'errorOccurred', 'preCompact', 'notification'];

function read(payload: JsonObject, given: string | null): Reading {
  const eventName = given ?? textIn(payload, 'hook_event_name') ?? eventOf(payload);
  const ownName = eventName.charAt(0).toLowerCase() + eventName.slice(1);
  const moment = judged[ownName];
  if (!moment) return unjudged(ownName, others);
  const call = { name: needText(payload, 'toolName', 'tool_name'), arguments: needObject(payload, 'toolArgs' in payload ? 'toolArgs' : 'toolInput' in payload ? 'toolInput' : 'tool_input') };
  const session: HostSession = { id: needText(payload, 'sessionId', 'session_id'), parentId: null, directory: textIn(payload, 'cwd'), model: null };
  if (moment === 'after') {
    const response = payload['toolResult'] ?? payload['tool_result'];
    const content = (isObject(response) ? (response['textResultForLlm'] ?? response['text_result_for_llm']) : response) ?? payload['error'] ?? null;
    return act({ eventName, session, event: { toolResult: { name: call.name, result: result(content), call } }, id: momentOf(payload, { ...call, content }) });
  }
  const isFirst = /^preToolUse$/i.test(eventName);
  return act({ eventName, session, event: { toolCall: call }, id: textIn(payload, 'toolCallId', 'tool_use_id') ?? (isFirst ? momentOf(payload, { ...call }) : null) });
}

/** The event that a payload in camelCase is of. */
function eventOf(payload: JsonObject): string {
  if (!('toolName' in payload)) return 'prompt' in payload ? 'userPromptSubmitted' : needText(payload, 'hook_event_name');
  if ('toolResult' in payload) return 'postToolUse';
  return 'error' in payload ? 'postToolUseFailure' : 'preToolUse';
}

/** It names no call: when, and what, tell one from another. */
function momentOf(payload: JsonObject, what: Json): string {
  const { timestamp } = payload;
  if (typeof timestamp !== 'string' && typeof timestamp !== 'number') return randomUUID();
  return `${timestamp} ${createHash('sha256').update(canonicalJson(what)).digest('hex')}`;
}

function phrase({ eventName, moment }: Act, answer: Answer): Output | null {
  if (moment === 'after') {
    const text = answer.verdict === 'DENY' ? answer.reason : answer.instead;
    if (text === null) return nothing;
    if (/Failure$/.test(eventName)) return printed({ additionalContext: inText(text) });
    return printed({ modifiedResult: { resultType: 'success', textResultForLlm: inText(text) } });
  }
  if (/^permissionRequest$/i.test(eventName)) {
    if (answer.verdict === 'DENY') return printed({ behavior: 'deny', message: answer.reason });
    return answer.instead === null ? printed({ behavior: 'allow' }) : null;
  }
  const decision = answer.verdict === 'DENY' ? { permissionDecision: 'deny', permissionDecisionReason: answer.reason } : { permissionDecision: 'allow' };
  const instead = answer.verdict === 'ALLOW' ? answer.instead : null;
  const own = instead === null ? decision : { ...decision, modifiedArgs: instead };
  if (eventName !== 'PreToolUse') return printed(own);
  return printed({ ...own, hookSpecificOutput: { hookEventName: eventName, ...decision, ...(instead === null ? {} : { updatedInput: instead }) } });
}

/** Any exit code but 0 denies, also of a hook that was killed; 0 with `deny` denies. Only a hook whose time is up lets the tool run. */
function runsAfter({ exitCode, stdout }: Ending): boolean {
  return exitCode === 0 && parsedObject(stdout)?.['permissionDecision'] !== 'deny';
}

function settings(): Settings {
  return {
    place: inDirectory({ user: ['COPILOT_HOME', '.copilot'], project: '.github', file: 'hooks/countersign.json' }),
    base: { version: 1 },
    disabledBy: 'disableAllHooks',
    failClosed: null,
    hooks: [
      { event: 'preToolUse', guard: 'exit', timeoutSeconds: 3600 },
      { event: 'permissionRequest', guard: 'exit', timeoutSeconds: 3600 },
      { event: 'postToolUse', guard: null, timeoutSeconds: 600 },
      { event: 'postToolUseFailure', guard: null, timeoutSeconds: 600 },
    ],
    entry: (hook, command) => ({ type: 'command', bash: command, timeoutSec: hook.timeoutSeconds }),
    namesEvent: true,
    drill: { sessionId: 'countersign-doctor', timestamp: 1767225600000, cwd: '/', toolName: 'countersign_drill', toolArgs: {} },
    afterInstall: 'Copilot CLI takes it up with its next session.',
    gaps: ['Copilot CLI lets the tool run when a hook exceeds its time; the hook denies before that, but cannot if it is stopped (SIGSTOP).', 'Copilot CLI drops what a hook says to a prompt: prompts are not judged.'],
  };
}
