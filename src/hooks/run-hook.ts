import { CountersignError, RequestError } from '../sdk/errors.ts';
import { ConnectionFault, findConnection } from './connection.ts';
import type { Environment } from './environment.ts';
import { Undecided } from './evaluate-until.ts';
import { nothing, PayloadFault, type Act, type Answer, type Host, type Output, type Reading } from './host.ts';
import { parsedObject, textIn } from './json.ts';
import { judgeAct } from './judge-act.ts';
import { AgentFault } from './open-session.ts';

export interface HookCall {
  readonly host: Host;
  /** What the host wrote on stdin. */
  readonly stdin: string;
  /** From the command line, for hosts whose payloads do not name their event. */
  readonly eventName: string | null;
  /** How long the host lets the hook run; null: as long as it does where its settings do not say. */
  readonly timeoutSeconds: number | null;
  readonly surroundings: Environment;
}

/**
 * From what a host tells to what it is to read. Whatever goes wrong: before an act it is denied in the host's own words, after it nothing
 * is said but on stderr. What is no payload at all is answered with exit code 2, which blocks in every host that can be blocked.
 */
export async function runHook({ host, stdin, eventName, timeoutSeconds, surroundings }: HookCall): Promise<Output> {
  const payload = parsedObject(stdin);
  let reading: Reading;
  try {
    if (!payload) throw new PayloadFault('what came on stdin is no JSON object');
    reading = host.read(payload, eventName);
  } catch (error) {
    const isAfter = /^(?:post|after)|\.after$/i.test(eventName ?? (payload && textIn(payload, 'hook_event_name')) ?? '');
    return { stdout: '', stderr: `${inWords(error, host)}\n`, exitCode: isAfter ? 0 : 2 };
  }
  if (reading.kind === 'unjudged') return nothing;
  try {
    if (reading.moment === 'before') refuseInexact(stdin);
    const deadline = 1000 * withMargin(timeoutSeconds ?? host.timeoutSeconds);
    return phrased(host, reading, await judgeAct(reading, { host: host.name, connection: findConnection(surroundings), surroundings, deadline }));
  } catch (error) {
    const reason = inWords(error, host);
    if (reading.moment === 'before' || error instanceof Undecided) return phrased(host, reading, { verdict: 'DENY', reason });
    return { ...nothing, stderr: `${reason}\n` };
  }
}

const marginSeconds = 10;

/** Of a short time half: the hook must have answered before the host gives up on it. */
function withMargin(seconds: number): number {
  return Math.max(seconds - marginSeconds, seconds / 2);
}

/** Throws a `PayloadFault` for a number that a double cannot hold, such as 2^53 + 1 or 1e400: the person would be shown another one than the tool gets. */
function refuseInexact(stdin: string): void {
  JSON.parse(stdin, (key, value: unknown) => {
    if (typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) throw new PayloadFault(`"${key}" is a number too large to be shown exactly: it must be sent as text`);
    return value;
  });
}

function phrased(host: Host, act: Act, answer: Answer): Output {
  const output = host.phrase(act, answer);
  if (output) return output;
  const what = 'toolCall' in act.event ? 'The arguments were changed when it was allowed' : 'A policy changed the text';
  const denial = host.phrase(act, { verdict: 'DENY', reason: `${what}, and ${host.title} takes no change at ${act.eventName}: nothing was done.` });
  if (!denial) throw new Error(`${host.title} has no words for a denial at ${act.eventName}.`);
  return denial;
}

function inWords(error: unknown, { name, title }: Host): string {
  const said = error instanceof Error ? error.message : String(error);
  if (error instanceof PayloadFault) return `countersign: no payload of ${title}: ${said}. Nothing is permitted; \`countersign hook install ${name}\` writes the right settings.`;
  if (error instanceof Undecided) return `Countersign: ${said}`;
  if (error instanceof ConnectionFault || error instanceof AgentFault) return `Countersign cannot be asked, so nothing is permitted: ${said}`;
  if (error instanceof RequestError && ['UNAUTHENTICATED', 'HTTP_401', 'HTTP_403'].includes(error.code)) return `Countersign cannot be asked, so nothing is permitted: the server refuses the credential. Set COUNTERSIGN_TOKEN to a key that \`countersign keys create --role agent\` has made.`;
  if (error instanceof Error && error.name === 'TimeoutError') return 'Countersign cannot be asked, so nothing is permitted: the server did not answer in time.';
  if (error instanceof CountersignError) return `Countersign cannot be asked, so nothing is permitted: ${said}`;
  return `Countersign failed, so nothing is permitted: ${said}`;
}
