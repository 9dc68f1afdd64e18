import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Session } from '../entities/session.entity.ts';
import type { Statements, Tables } from '../entities/rows.ts';

/**
 * How often policies and agents have changed. A verdict counts only under the number that was read before the policies that it is made by:
 * so a change at one server binds the others from its answer on, whether or not they have heard of it.
 */
export async function readEpoch(em: SqlEntityManager): Promise<number> {
  const row = await statementsOf(em).selectFrom('installation').select('policy_epoch').where('id', '=', 1).executeTakeFirstOrThrow();
  return Number(row['policy_epoch']);
}

/** The first statement of each transaction that changes a policy or an agent: such changes follow each other, at whatever servers. */
export async function nextEpoch(tx: SqlEntityManager): Promise<void> {
  await statementsOf(tx).updateTable('installation').set((eb) => ({ policy_epoch: eb('policy_epoch', '+', 1) })).where('id', '=', 1).execute();
}

/** As `nextEpoch`, for whoever has yet to see whether there is anything to change. */
export async function holdEpoch(tx: SqlEntityManager): Promise<void> {
  await statementsOf(tx).updateTable('installation').set((eb) => ({ policy_epoch: eb.ref('policy_epoch') })).where('id', '=', 1).execute();
}

/** What a decision was made under. */
export interface JudgedUnder {
  /** Of the session. */
  readonly version: string;
  readonly epoch: number;
}

/** Within a transaction that has locked the session: whether a decision would still be made as it was. */
export async function isStillSo({ version, epoch }: JudgedUnder, session: Pick<Session, 'version'>, tx: SqlEntityManager): Promise<boolean> {
  return session.version === version && (await readEpoch(tx)) === epoch;
}

function statementsOf(em: SqlEntityManager): Statements {
  return em.getKysely<Tables>();
}
