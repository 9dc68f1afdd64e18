import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { newEnforcer, newModelFromString } from 'casbin';
import { median, type Row } from './figures.ts';

const policyCount = 10;
const batch = 200;

/**
 * The same question, whether a tool may be called under ten rules that name tools, to two policy engines of others, in process as ours. Neither parks a
 * call nor asks a person; products that do need a service of their vendor or a database server, which cannot be had from npm.
 */
export async function peers(ours: Row): Promise<Row> {
  const figures = [`ours ${ours.figure}`, `Cedar ${microseconds(cedarOnce()).toFixed(1)} µs`, `Casbin ${(await microsecondsOf(await casbinOnce())).toFixed(1)} µs`];
  return { what: 'one tool call under ten policies, beside other engines', figure: figures.join(', '), bar: 'reported', held: null };
}

function cedarOnce(): () => void {
  const rules = Array.from({ length: policyCount }, (_, index) => `forbid(principal, action == Action::"call", resource == Tool::"danger ${index}");`);
  const parsed = cedar.preparsePolicySet('bench', { staticPolicies: [`permit(principal, action, resource);`, ...rules].join('\n') });
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed));
  const call = { principal: { type: 'Agent', id: 'bench' }, action: { type: 'Action', id: 'call' }, resource: { type: 'Tool', id: 'web_search' }, context: {}, preparsedPolicySetId: 'bench', entities: [] };
  return () => {
    const answer = cedar.statefulIsAuthorized(call);
    if (answer.type !== 'success' || answer.response.decision !== 'allow') throw new Error(JSON.stringify(answer));
  };
}

async function casbinOnce(): Promise<() => Promise<void>> {
  const model = newModelFromString(`
[request_definition]
r = sub, tool
[policy_definition]
p = sub, tool, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.sub == p.sub && keyMatch(r.tool, p.tool)
`);
  const enforcer = await newEnforcer(model);
  await enforcer.addPolicy('bench', '*', 'allow');
  for (let index = 1; index < policyCount; index += 1) await enforcer.addPolicy('bench', `danger ${index}`, 'deny');
  return async () => {
    if (!(await enforcer.enforce('bench', 'web_search'))) throw new Error('Casbin denies.');
  };
}

function microseconds(once: () => void): number {
  const round = () => {
    const startedAt = performance.now();
    for (let index = 0; index < batch; index += 1) once();
    return ((performance.now() - startedAt) / batch) * 1000;
  };
  return median(Array.from({ length: 30 }, round));
}

async function microsecondsOf(once: () => Promise<void>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const startedAt = performance.now();
    for (let index = 0; index < batch; index += 1) await once();
    figures.push(((performance.now() - startedAt) / batch) * 1000);
  }
  return median(figures);
}
