import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isJsonObject, type Json, type JsonObject } from '../policy/json.ts';
import type { ModelAnswer } from '../policy/model-question.ts';
import type { ParamsIssue } from '../policy/params-issues.ts';
import { readPolicyEvent } from '../policy/read-event.ts';
import { simulate, type Simulation } from '../policy/simulate.ts';
import { handlerRegistry, type HandlerSources } from './handler-registry.ts';
import { simulationAnswer, simulationInWords } from './simulation-answer.ts';
import { UsageFault } from './usage-fault.ts';

/** Each but the handler, the model and its answer is JSON. */
export interface PolicySimulateOptions extends HandlerSources {
  readonly handler: string;
  /** JSON, `-` for stdin, or a file. */
  readonly event: string;
  readonly params?: string;
  readonly state?: string;
  readonly labels?: string;
  readonly usage?: string;
  readonly model?: string;
  readonly llmAnswer?: string;
  readonly json?: boolean;
}

/** One event before one handler; any verdict is an answer. Throws a `UsageFault` that names the option that is wrong. */
export async function simulatePolicy(options: PolicySimulateOptions): Promise<void> {
  const given = await readEvent(options.event);
  const simulation: Simulation = {
    runAs: 'simulation',
    ...given,
    handler: options.handler,
    params: objectIn('params', options.params) ?? {},
    state: objectIn('state', options.state) ?? given.state,
    labels: objectIn('labels', options.labels) ?? given.labels,
    usage: objectIn('usage', options.usage) ?? given.usage,
    model: options.model ?? given.model,
    clock: () => performance.now() * 1000,
  };
  const registry = await handlerRegistry(options);
  let isModelAsked = false;
  const simulated = simulate(simulation, registry, (): ModelAnswer => {
    isModelAsked = true;
    return options.llmAnswer === undefined ? { kind: 'notConfigured' } : { kind: 'answered', text: options.llmAnswer };
  });
  if (simulated.kind === 'unfit') throw faultOf(simulated.issues);
  if (simulated.kind === 'openQuestion') throw new Error('A simulation has an answer to every question.');
  const answer = simulationAnswer(simulated.decision, isModelAsked);
  process.stdout.write(`${options.json ? JSON.stringify(answer) : simulationInWords(answer)}\n`);
}

type Given = Pick<Simulation, 'event' | 'state' | 'labels' | 'usage' | 'model' | 'harness'> & { readonly runAs?: string };

async function readEvent(option: string): Promise<Given> {
  const value = objectIn('event', await eventText(option));
  if (value === undefined) throw faultOf([{ path: ['event'], message: 'Expected an object.' }]);
  if ('type' in value) return fromPolicyEvent(value);
  const { parseEvent } = await import('../main.ts');
  const parsed = parseEvent(value);
  if (parsed.kind === 'invalidInput') throw faultOf(parsed.issues);
  return { event: parsed.value };
}

function fromPolicyEvent(value: JsonObject): Given {
  const read = readPolicyEvent(value);
  if (read.kind === 'invalid') throw faultOf(read.issues.map(({ path, message }) => ({ path: ['event', ...path], message })));
  const { event, state, context } = read;
  const { labels, usage, model, harness, actor, subtree_usage, user_daily_cost } = context;
  const runAs = isJsonObject(actor) ? actor['run_as'] : undefined;
  return {
    event,
    state,
    labels: isJsonObject(labels) ? labels : {},
    usage: { ...(isJsonObject(usage) ? usage : {}), ...(subtree_usage === undefined ? {} : { subtree_usage }), ...(user_daily_cost === undefined ? {} : { user_daily_cost }) },
    model: typeof model === 'string' ? model : null,
    harness: typeof harness === 'string' ? harness : null,
    ...(typeof runAs === 'string' ? { runAs } : {}),
  };
}

async function eventText(option: string): Promise<string> {
  if (option === '-') return text(process.stdin);
  if (option.trimStart().startsWith('{')) return option;
  try {
    return await readFile(option, 'utf8');
  } catch {
    throw new UsageFault(`--event: ${option} is neither JSON nor a file that can be read`);
  }
}

function objectIn(option: string, json: string | undefined): JsonObject | undefined {
  if (json === undefined) return undefined;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    throw new UsageFault(`--${option}: this is not JSON`);
  }
  if (!isJsonObject(value)) throw new UsageFault(`--${option}: this is no JSON object`);
  return value;
}

function faultOf([first, ...others]: readonly ParamsIssue[]): UsageFault {
  const [option = '', ...path] = first?.path ?? [];
  const where = path.length > 0 ? `${path.join('.')}: ` : '';
  const remedy = option === 'handler' ? ' countersign policy list names them all' : '';
  return new UsageFault(`--${option}: ${where}${first?.message ?? ''}${remedy}${others.length > 0 ? ` (and ${others.length} more)` : ''}`);
}
