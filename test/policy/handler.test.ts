import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { abstain, defineHandler, evaluate, InvalidParams, type Facts, type Handler, type Json, type JsonObject, type Judge, type Opinion, type ParamsIssue } from '../../src/policy/index.ts';
import { askModel, facts, passOf, policy, toolCall } from './support/pass.ts';

const paper = { name: 'test.handler', title: 'Test', description: 'Tests.', phases: ['TOOL_CALL'] } as const;

const limited = defineHandler({
  ...paper,
  params: z.object({
    limit: z.int().default(100).describe('How many.'),
    tools: z.array(z.string()),
    mode: z.enum(['ASK', 'DENY']).optional(),
    window: z.strictObject({ size: z.number().positive() }).optional(),
    target: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  judge: (_input, params) => ({ kind: 'deny', reason: JSON.stringify(params) }),
});

const plain = defineHandler({ ...paper, judge: () => abstain() });

function issuesOf(handler: Handler, params: JsonObject | null): readonly ParamsIssue[] {
  const built = handler.build(params);
  return built.kind === 'invalidParams' ? built.issues : [];
}

function opinionOf(handler: Handler, params: JsonObject | null): Opinion {
  const built = handler.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event: toolCall('Bash'), facts: facts({ state: { n: 1 } }), askModel });
}

describe('a handler without params', () => {
  it('is a callable and has no schema', () => {
    expect(plain).toMatchObject({ kind: 'CALLABLE', paramsSchema: null, needs: [] });
  });

  it.for([null, {}])('builds from %j', (params) => {
    expect(opinionOf(plain, params)).toEqual(abstain());
  });

  it('refuses each key, and says that there is nothing to set', () => {
    expect(issuesOf(plain, { a: 1, b: 2 })).toEqual([
      { path: ['a'], message: 'Unknown parameter: test.handler takes none.' },
      { path: ['b'], message: 'Unknown parameter: test.handler takes none.' },
    ]);
  });
});

describe('a handler with params', () => {
  it('is a factory, and its schema demands only what has no default', () => {
    expect(limited).toMatchObject({
      kind: 'FACTORY',
      paramsSchema: {
        type: 'object',
        required: ['tools'],
        additionalProperties: false,
        properties: { limit: { type: 'integer', default: 100, description: 'How many.' }, mode: { enum: ['ASK', 'DENY'] } },
      },
    });
    expect(limited.paramsSchema).not.toHaveProperty('properties.limit.maximum');
  });

  it('judges with defaults filled in', () => {
    expect(opinionOf(limited, { tools: ['Bash'] })).toEqual({ kind: 'deny', reason: '{"limit":100,"tools":["Bash"]}' });
  });

  it('takes null for no params, and builds when all have defaults', () => {
    const optional = defineHandler({ ...paper, params: z.object({ n: z.int().default(3) }), judge: (_, { n }) => ({ kind: 'deny', reason: `${n}` }) });
    expect(opinionOf(optional, null)).toEqual({ kind: 'deny', reason: '3' });
    expect(issuesOf(limited, null)).toEqual([{ path: ['tools'], message: 'Missing: expected array.' }]);
  });

  const valid = { tools: [] };
  const bad: [JsonObject, ParamsIssue[]][] = [
    [{ ...valid, limits: 5 }, [{ path: ['limits'], message: 'Unknown parameter. Known here: limit, tools, mode, window, target.' }]],
    [{ ...valid, limit: '5' }, [{ path: ['limit'], message: 'Expected number, got string.' }]],
    [{ ...valid, limit: 1.5 }, [{ path: ['limit'], message: 'Expected integer, got 1.5.' }]],
    [{ ...valid, limit: true }, [{ path: ['limit'], message: 'Expected number, got boolean.' }]],
    [{ ...valid, limit: null }, [{ path: ['limit'], message: 'Expected number, got null.' }]],
    [{ tools: 'Bash' }, [{ path: ['tools'], message: 'Expected array, got string.' }]],
    [{ tools: ['Bash', 7] }, [{ path: ['tools', '1'], message: 'Expected string, got number.' }]],
    [{ ...valid, mode: 'ask' }, [{ path: ['mode'], message: 'Expected "ASK" or "DENY".' }]],
    [{ ...valid, window: { size: 1, sise: 2 } }, [{ path: ['window', 'sise'], message: 'Unknown parameter. Known here: size.' }]],
    [{ ...valid, window: { size: 0 } }, [{ path: ['window', 'size'], message: 'Too small: expected number to be >0' }]],
    [{ ...valid, window: [] }, [{ path: ['window'], message: 'Expected object, got array.' }]],
    [{ ...valid, target: 5 }, [{ path: ['target'], message: 'Expected string, got number. Or: Expected array, got number.' }]],
    [JSON.parse('{"tools":[],"__proto__":{"limit":1}}') as JsonObject, [{ path: ['__proto__'], message: 'Unknown parameter. Known here: limit, tools, mode, window, target.' }]],
    [{ ...valid, constructor: 1 }, [{ path: ['constructor'], message: 'Unknown parameter. Known here: limit, tools, mode, window, target.' }]],
  ];

  it.for(bad)('%j is refused, with the place and what would be right', ([params, issues]) => {
    expect(issuesOf(limited, params)).toEqual(issues);
  });

  it('names every mistake at once', () => {
    expect(issuesOf(limited, { tools: 1, limit: 'x', foo: 1 }).map((issue) => issue.path)).toEqual([['limit'], ['tools'], ['foo']]);
  });

  it('keeps the words of the schema’s author', () => {
    const spoken = defineHandler({
      ...paper,
      params: z.object({ a: z.int().optional(), b: z.int().optional() }).refine(({ a, b }) => a ?? b, 'Give a or b.'),
      judge: () => abstain(),
    });
    expect(issuesOf(spoken, {})).toEqual([{ path: [], message: 'Give a or b.' }]);
    expect(issuesOf(spoken, { c: 1 }).map((issue) => issue.path)).toContainEqual(['c']);
  });
});

describe('building never throws', () => {
  const create = (throws: () => never): Handler => defineHandler({ ...paper, params: z.object({}), create: throws });

  it('calls params that `create` cannot work with invalid, without telling what was thrown', () => {
    const handler = create(() => {
      throw new Error('secret path');
    });
    expect(issuesOf(handler, {})).toEqual([{ path: [], message: 'test.handler cannot work with these params; its description says what it needs.' }]);
  });

  it('passes on what `create` has to say of the params', () => {
    const handler = create(() => {
      throw new InvalidParams([{ path: ['expression'], message: 'Unexpected ")" at 4.' }]);
    });
    expect(issuesOf(handler, {})).toEqual([{ path: ['expression'], message: 'Unexpected ")" at 4.' }]);
  });

  it('refuses a `create` that gives no judge, and one that is asynchronous', () => {
    expect(issuesOf(defineHandler({ ...paper, create: () => undefined as unknown as Judge }), null)).toHaveLength(1);
    expect(issuesOf(defineHandler({ ...paper, create: (() => Promise.reject(new Error('late'))) as unknown as () => Judge }), null)).toHaveLength(1);
  });

  it('calls a refinement that throws invalid', () => {
    const params = z.object({ a: z.string() }).refine(() => {
      throw new Error('bug');
    });
    expect(issuesOf(defineHandler({ ...paper, params, judge: () => abstain() }), { a: 'x' })).toHaveLength(1);
  });
});

describe('a fact that has to be looked up', () => {
  const frugal = defineHandler({ ...paper, needs: ['usage', 'state'], judge: ({ facts: { usage } }) => ({ kind: 'deny', reason: String(usage.total_tokens) }) });
  const built = frugal.build(null);
  if (built.kind !== 'built') throw new Error('It takes no params.');
  const asked = policy('frugal', null, { judge: built.judge });

  it('denies where nobody looked it up, since a budget without spending would allow everything', () => {
    const { usage: _, ...others } = facts();
    expect(evaluate(passOf([asked], { facts: others }))).toMatchObject({ verdict: 'DENY', failure: new TypeError('The fact "usage" is needed and not given.') });
  });

  it('need not be there for others', () => {
    const { subtreeUsage: _, userDailyCost: __, ...others } = facts();
    expect(evaluate(passOf([asked], { facts: others }))).toMatchObject({ verdict: 'DENY', reason: '0' });
  });
});

describe('a handler’s types', () => {
  it('show a judge only the facts that it needs, and its params as parsed', () => {
    defineHandler({
      ...paper,
      needs: ['state', 'model'],
      params: z.object({ limit: z.int().default(1), name: z.string().optional() }),
      judge({ facts: known }, params) {
        expectTypeOf(known).toEqualTypeOf<Pick<Facts, 'state' | 'model'>>();
        expectTypeOf(params).toEqualTypeOf<{ limit: number; name?: string | undefined }>();
        return abstain();
      },
    });
    defineHandler({
      ...paper,
      needs: ['labels'],
      params: z.object({ blocked: z.array(z.string()) }),
      create({ blocked }) {
        expectTypeOf(blocked).toEqualTypeOf<string[]>();
        return ({ facts: known }) => {
          expectTypeOf(known).toEqualTypeOf<Pick<Facts, 'labels'>>();
          return abstain();
        };
      },
    });
  });

  it('show a judge no facts when it needs none', () => {
    defineHandler({
      ...paper,
      judge({ facts: known }) {
        expectTypeOf<keyof typeof known>().toBeNever();
        // @ts-expect-error: `state` is not among its needs.
        expectTypeOf<Json>(known.state);
        return abstain();
      },
    });
  });

  it('demand a judge or a `create`, and known phases and facts, as `defineHandler` does of JavaScript', () => {
    // @ts-expect-error: neither judge nor create.
    expect(() => defineHandler({ ...paper })).toThrow('there must be a function judge, or a function create that gives one');
    // @ts-expect-error: no such phase.
    expect(() => defineHandler({ ...paper, phases: ['TOOLCALL'], judge: () => abstain() })).toThrow('phases must be a list of some of REQUEST, RESPONSE, TOOL_CALL, TOOL_RESULT, LLM_REQUEST, LLM_RESPONSE');
    // @ts-expect-error: no such fact.
    expect(() => defineHandler({ ...paper, needs: ['weather'], judge: () => abstain() })).toThrow('needs must be a list of some of state, labels, ');
    // @ts-expect-error: a judge is synchronous.
    defineHandler({ ...paper, judge: async () => Promise.resolve(abstain()) });
    expectTypeOf(plain).toEqualTypeOf<Handler>();
    expectTypeOf<Judge<'state'>>().toExtend<Judge>();
  });

  it.for([
    [{ name: 'Mine' }, 'defineHandler "Mine": name must be <family>.<name> in lower snake case'],
    [{ name: undefined }, 'name must be'],
    [{ title: ' ' }, 'title must be a text for people'],
    [{ description: 1 }, 'description must be a text for people'],
    [{ phases: [] }, 'phases must be a list'],
    [{ phases: 'TOOL_CALL' }, 'phases must be a list'],
    [{ judge: undefined }, 'there must be a function judge'],
    [{ create: 'judge' }, 'there must be a function judge'],
    [{ params: { limit: 1 } }, 'params must be a z.object of zod 4'],
    [{ params: z.string() }, 'params must be a z.object of zod 4'],
  ] as const)('do not hold JavaScript, so a definition is checked: %j', ([wrong, message]) => {
    expect(() => defineHandler({ ...paper, judge: () => abstain(), ...(wrong as object) })).toThrow(message);
  });
});
