import { isDeepStrictEqual } from 'node:util';
import { isUnionType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { wrongTypes, type Case } from './case.ts';
import { inputFields, nameOf, type InputField } from './input-fields.ts';
import { operations, type Operation } from './operations.ts';
import { rows, type Row } from './rows.ts';
import { openWorld, type World } from './world.ts';

/** Gives each field of these operations all that it can be given. */
export function describeFields(names: readonly string[]): void {
  describe.each(names)('%s', (operationName) => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld();
    });
    afterAll(() => world.close());

    it.each(inputFields().flatMap((field) => (field.operation === operationName ? [[nameOf(field), field] as const] : [])))(
      'refuses by name what cannot be %s and writes nothing, takes what is only strange and gives it back',
      async (name, field) => {
        const operation = operations[operationName];
        const row = rows[name];
        if (!operation || !row) throw new Error(`Say in operations.ts how ${operationName} is called, and in rows.ts what ${name} takes.`);
        const prepare = async (): Promise<Call> => ({ operation, world, field, row, base: await operation.base(world, field.path) });
        const cases = [...wrongTypes(field), ...row.rule(world)];
        const call = await prepare();
        await writesNothing(world, async () => {
          expect(await mistakes(cases.filter(({ expects }) => expects.kind !== 'taken'), call)).toEqual([]);
        });
        for (const one of cases.filter(({ expects }) => expects.kind === 'taken')) expect(await mistakes([one], await prepare())).toEqual([]);
        expect({}).not.toHaveProperty('polluted');
      },
    );
  });
}

/** The server itself writes now and then: a sign of life, or when a key was last used. What the work writes, it writes each time. */
async function writesNothing(world: World, work: () => Promise<void>): Promise<void> {
  for (let times = 1; ; times += 1) {
    const before = await world.stored();
    await work();
    const after = await world.stored();
    if (times < 3 && !isDeepStrictEqual(after, before)) continue;
    expect(after).toEqual(before);
    return;
  }
}

interface Call {
  readonly operation: Operation;
  readonly world: World;
  readonly field: InputField;
  readonly row: Row;
  readonly base: object;
}

/** What came otherwise than it should, a few at a time. */
async function mistakes(cases: readonly Case[], call: Call): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < cases.length; start += 8) {
    await Promise.all(
      cases.slice(start, start + 8).map(async (one) => {
        const { status, text } = await call.world.send(bodyOf(one.json, call));
        const isRight = isAsWanted(one, { status, text }, call) && (one.expects.kind !== 'taken' || (await isGivenBack(JSON.parse(text), one.expects.value, call)));
        if (!isRight) found.push(`${one.title} must be ${one.expects.kind}, and was ${status} ${text.slice(0, 300)}`);
      }),
    );
  }
  return found;
}

function isAsWanted({ expects }: Case, { status, text }: { status: number; text: string }, { operation, field }: Call): boolean {
  if (/INTERNAL_SERVER_ERROR|Unexpected error|SQLITE|DriverException|node_modules|\bat .+\.[jt]s:\d/.test(text)) return false;
  const body: Wire = JSON.parse(text);
  const answer = body.data?.[field.operation];
  if (expects.kind === 'wrongType') {
    return status === 400 && body.errors.every((error: Wire) => error.extensions.code === 'BAD_USER_INPUT') && body.errors.some((error: Wire) => names(error.message, field));
  }
  if (status !== 200 || body.errors !== undefined) return false;
  switch (expects.kind) {
    case 'invalid':
      return answer.__typename === 'InvalidInputError' && answer.issues.some(({ path }: Wire) => lies(path, expects.at ?? field.path));
    case 'notFound':
      return answer.__typename === 'NotFoundError' && answer.id === expects.id;
    case 'error':
      return answer.__typename === expects.type;
    case 'taken':
      return answer.__typename === operation.success;
    default:
      return expects satisfies never;
  }
}

/** What a client reads off the wire: judged by what is asked of it, not by a type. */
type Wire = ReturnType<JSON['parse']>;

const marker = '\u0001here\u0001';

function bodyOf(json: string | undefined, { operation, field, base }: Call): string {
  const name = `${field.operation.charAt(0).toUpperCase()}${field.operation.slice(1)}`;
  const result = schema.getType(`${name}Result`);
  const selections: Readonly<Record<string, string>> = { [operation.success]: operation.ids, InvalidInputError: 'issues { path message }', NotFoundError: 'id' };
  const members = isUnionType(result) ? result.getTypes().map((type) => `... on ${type.name} { ${selections[type.name] ?? 'message'} }`) : [];
  const query = `${operation.kind} ($input: ${name}Input!) { ${field.operation}(input: $input) { __typename ${members.join(' ')} } }`;
  const variables = put({ input: base }, ['input', ...field.path], json === undefined ? undefined : marker);
  return JSON.stringify({ query, variables }).replace(JSON.stringify(marker), () => json ?? '');
}

/** A copy with the value in its place, and whatever is on the way. */
function put(into: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '0') return [put(Array.isArray(into) ? into[0] : undefined, rest, value)];
  const object = (into ?? {}) as Record<string, unknown>;
  return { ...object, [step]: put(object[step], rest, value) };
}

/** GraphQL writes `input.labelDefinitions[0].key`; of what is missing it names the place, then the field. */
function names(message: string, { path }: InputField): boolean {
  const at = (parts: readonly string[]) => `"input${parts.map((part) => (part === '0' ? '[0]' : `.${part}`)).join('')}`;
  if (path.length === 0) return message.includes('"$input"');
  return message.includes(at(path)) || (message.includes(`Field "${path.at(-1) ?? ''}"`) && (path.length === 1 || message.includes(at(path.slice(0, -1)))));
}

function lies(path: readonly string[], wanted: readonly string[]): boolean {
  return wanted.length === 0 ? path.length === 0 : wanted.every((part, index) => path[index] === part);
}

/** Read anew, for an answer may repeat what was given without having kept it. */
async function isGivenBack(body: Wire, wanted: unknown, { operation, world, field, row }: Call): Promise<boolean> {
  if (row.back === undefined) return true;
  const { stored: { type, selection } = { type: 'Node', selection: 'id' } } = operation;
  const answer = body.data[field.operation];
  const { text } = await world.send(JSON.stringify({ query: `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`, variables: { id: answer.id ?? answer.key?.id ?? answer.elicitations[0].id } }));
  const value = row.back.split('.').reduce<Wire>((inner, step) => inner?.[step], JSON.parse(text).data.node);
  expect(value).toEqual(wanted);
  return true;
}
