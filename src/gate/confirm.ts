import { isDeepStrictEqual } from 'node:util';
import type { SessionId } from '../entities/id.ts';
import type { Statements } from '../entities/rows.ts';
import type { JsonObject } from '../policy/json.ts';
import { treeStateOf } from './approvals.ts';

/** What is about to be stored, as far as it matters here. */
interface Judged {
  readonly judgedOn: JudgedOn;
  /** What it changes of its session. Null: nothing. */
  readonly session: object | null;
}

/** What of the database a verdict rests on. */
export interface JudgedOn {
  readonly session: SessionId;
  readonly version: string;
  readonly epoch: number;
  /** What of the state of the tree's root was seen. Null: nothing. */
  readonly tree: { readonly root: SessionId; readonly state: JsonObject } | null;
}

/**
 * Of evaluations that are about to be stored those whose ground has changed, by whatever server: policies, agents, the session or the
 * approvals of its tree. One statement for all of them, in the transaction that stores them. What an evaluation changes of its session is
 * confirmed by the change itself.
 */
export async function outdated<Entry extends Judged>(entries: readonly Entry[], on: Statements): Promise<ReadonlySet<Entry>> {
  const rows = await readGround(entries, on);
  const epoch = Number(rows[0]?.['policy_epoch']);
  const sessions = new Map(rows.map((row) => [row['id'], row]));
  const isOutdated = ({ judgedOn, session: change }: Entry): boolean => {
    if (judgedOn.epoch !== epoch) return true;
    const own = sessions.get(judgedOn.session);
    if (!change && (own?.['version'] !== judgedOn.version || own['ended_at'] !== null)) return true;
    return judgedOn.tree !== null && !isDeepStrictEqual(treeStateOf(stateIn(sessions.get(judgedOn.tree.root))), judgedOn.tree.state);
  };
  return new Set(entries.filter(isOutdated));
}

type Row = Readonly<Record<string, unknown>>;

async function readGround(entries: readonly Judged[], on: Statements): Promise<readonly Row[]> {
  const own = entries.map(({ judgedOn }) => judgedOn.session);
  const roots = [...new Set(entries.flatMap(({ judgedOn }) => judgedOn.tree?.root ?? []))];
  const query = on
    .selectFrom('installation')
    .leftJoin('session', (join) => join.on('session.id', 'in', [...new Set([...own, ...roots])]))
    .where('installation.id', '=', 1)
    .select(['installation.policy_epoch', 'session.id', 'session.version', 'session.ended_at']);
  if (roots.length === 0) return query.execute();
  return query.select((eb) => eb.case().when('session.id', 'in', roots).then(eb.ref('session.state')).end().as('state')).execute();
}

function stateIn(row: Row | undefined): JsonObject {
  const state = row?.['state'];
  return (typeof state === 'string' ? JSON.parse(state) : (state ?? {})) as JsonObject;
}
