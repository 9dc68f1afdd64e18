import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import type { EvaluationId } from '../entities/id.ts';
import { readRowOrFail, updateRows } from '../entities/rows.ts';
import type { Gate } from './gate.ts';
import { elicitationOf } from './settle.ts';
import { settleExpired } from './settle-expired.ts';
import type { Seat } from './waiting-room.ts';

/** Takes a stored evaluation up again: answers at once when it is decided, else waits for it as its first caller did. */
export async function attach(gate: Gate, evaluation: Evaluation, waitSeconds: number | null): Promise<Evaluation> {
  if (evaluation.status !== 'AWAITING_APPROVAL') return evaluation;
  const seat = gate.waiting.enter(evaluation.id);
  try {
    const held = { abandonAt: null, heldBy: gate.lease.id, ...(waitSeconds === null ? {} : { ticket: true }) };
    await updateRows(gate, EvaluationSchema, { set: held, where: { id: evaluation.id, status: 'AWAITING_APPROVAL' } });
    const { expiresAt } = await elicitationOf(evaluation, gate.em);
    return await park(gate, await read(gate, evaluation.id), { seat, waitSeconds, expiresAt });
  } catch (error) {
    if (seat.leave()) await startGrace(gate, evaluation.id); // its caller is told of the failure and holds it no more
    throw error;
  } finally {
    seat.leave();
  }
}

interface Hold {
  readonly seat: Seat;
  /** Null: until decided. */
  readonly waitSeconds: number | null;
  /** The elicitation's deadline. */
  readonly expiresAt: Date;
}

/**
 * Holds the call until the evaluation is decided, `waitSeconds` have passed, the caller has gone or the server shuts down, and gives the
 * evaluation as it then stands. The row is the truth: it is read again on every wake, at the deadline and at a slow interval.
 */
export async function park(gate: Gate, evaluation: Evaluation, { seat, waitSeconds, expiresAt }: Hold): Promise<Evaluation> {
  const waitsUntil = waitSeconds === null ? Infinity : gate.now().getTime() + waitSeconds * 1000;
  let current = evaluation;
  while (current.status === 'AWAITING_APPROVAL' && gate.now().getTime() < waitsUntil) {
    const milliseconds = Math.min(waitsUntil - gate.now().getTime(), expiresAt.getTime() - gate.now().getTime(), gate.settings.rereadSeconds * 1000);
    const wake = await seat.wait({ milliseconds: Math.max(milliseconds, 1), signal: gate.signal });
    if (wake === 'closing') return current;
    if (wake === 'callerGone') {
      if (seat.leave()) await startGrace(gate, current.id);
      return current;
    }
    if (wake === 'time' && gate.now() >= expiresAt) await settleExpired(gate, await elicitationOf(current, gate.em));
    current = await read(gate, current.id);
  }
  return current;
}

async function read(gate: Gate, id: EvaluationId): Promise<Evaluation> {
  return readRowOrFail(gate, EvaluationSchema, { id });
}

/** The last holding caller has gone: from now on the ask outlives it by the grace time. A ticket has no such time. */
export async function startGrace(gate: Gate, id: EvaluationId): Promise<void> {
  const waits = { id, status: 'AWAITING_APPROVAL', ticket: false } as const;
  const left = { heldBy: null, abandonAt: new Date(gate.now().getTime() + gate.settings.graceSeconds * 1000) };
  await updateRows(gate, EvaluationSchema, { set: left, where: { ...waits, heldBy: gate.lease.id } }); // else another server has taken it up since
  if (gate.waiting.isHeld(id)) await updateRows(gate, EvaluationSchema, { set: { heldBy: gate.lease.id, abandonAt: null }, where: waits }); // taken up again meanwhile
}
