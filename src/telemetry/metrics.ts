import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Instruments } from '../gate/instruments.ts';

/** What is counted at the moment it is asked for. */
export interface Load {
  /** Calls that this process holds. */
  readonly parked: number;
  /** Evaluations that wait for a decision, as far as this process knows. */
  readonly pending: number;
  /** Whether what other servers publish is heard. */
  readonly areEventsUp: boolean;
  /** Of the pool of this process to the database. Null: there is none. */
  readonly connections: { readonly used: number; readonly waiting: number } | null;
}

export interface Metrics {
  readonly instruments: Instruments;
  readonly contentType: string;
  /** From now on the load is measured, too. */
  watch(load: () => Load): void;
  limitHit(limit: string): void;
  /** What was published took so long to be heard. */
  eventLag(seconds: number): void;
  /** In Prometheus' text format. Names begin with `countersign_`; of the process with `process_` and `nodejs_`. */
  text(): Promise<string>;
}

/** Seconds. A warm ALLOW takes about a millisecond; what takes longer than ten seconds has asked a model. */
const decisionBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10];
const commitBuckets = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1];
const lagBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const batchBuckets = [1, 2, 5, 10, 20, 50, 100, 200];

/** Labels are words of ours, never what callers send: no caller can make them many. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry }); // memory, processor, event loop lag, garbage collection, handles
  const verdicts = new Counter({ registers, name: 'countersign_evaluations_total', help: 'Evaluations stored, by phase and by the verdict of the policies.', labelNames: ['phase', 'verdict'] });
  const answers = new Counter({ registers, name: 'countersign_answers_total', help: 'Calls of evaluatePolicy answered: by verdict and by who decided (UNDECIDED: it still waits), REFUSED, or FAILED.', labelNames: ['verdict', 'decided_by'] });
  const decision = new Histogram({ registers, name: 'countersign_decision_seconds', help: 'From the call to the stored verdict of the policies; the wait for a person is not in it.', labelNames: ['verdict'], buckets: decisionBuckets });
  const commit = new Histogram({ registers, name: 'countersign_commit_seconds', help: 'One transaction of evaluations.', labelNames: ['done'], buckets: commitBuckets });
  const batch = new Histogram({ registers, name: 'countersign_commit_entries', help: 'How many evaluations shared one transaction.', buckets: batchBuckets });
  const views = new Counter({ registers, name: 'countersign_session_views_total', help: 'Where what a verdict needs of a session was found.', labelNames: ['found_in'] });
  const limits = new Counter({ registers, name: 'countersign_limits_hit_total', help: 'Calls refused by a limit, by its key in the configuration.', labelNames: ['limit'] });
  const lag = new Histogram({ registers, name: 'countersign_event_lag_seconds', help: 'From the publication of what happened to its coming back from between the servers, which is when the others hear it.', buckets: lagBuckets });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    limitHit: (limit) => limits.inc({ limit }),
    eventLag: (seconds) => lag.observe(seconds),
    watch(load) {
      gauge({ registers, name: 'countersign_parked_calls', help: 'Calls that this process holds until somebody decides.' }, () => load().parked);
      gauge({ registers, name: 'countersign_pending_evaluations', help: 'Evaluations that wait for a decision, over all servers, as far as this process knows.' }, () => load().pending);
      gauge({ registers, name: 'countersign_events_up', help: '1: what other servers publish is heard; 0: the connection is lost.' }, () => Number(load().areEventsUp));
      gauge({ registers, name: 'countersign_database_connections_used', help: 'Connections to PostgreSQL that this process uses at the moment; on SQLite 0.' }, () => load().connections?.used ?? 0);
      gauge({ registers, name: 'countersign_database_connections_waiting', help: 'How many wait for a connection of the pool; on SQLite 0.' }, () => load().connections?.waiting ?? 0);
    },
    instruments: {
      evaluating(phase) {
        const since = performance.now();
        return {
          step: (_, work) => work(),
          stored({ verdict }) {
            verdicts.inc({ phase, verdict });
            decision.observe({ verdict }, (performance.now() - since) / 1000);
          },
          ended(answer) {
            if (answer === null) answers.inc({ verdict: 'REFUSED', decided_by: '' });
            else if (answer === 'failed') answers.inc({ verdict: 'FAILED', decided_by: '' });
            else answers.inc({ verdict: answer.verdict, decided_by: answer.decidedBy ?? 'UNDECIDED' });
          },
        };
      },
      committed({ entries, seconds, isDone }) {
        commit.observe({ done: String(isDone) }, seconds);
        if (isDone) batch.observe(entries);
      },
      viewFound: (where) => views.inc({ found_in: where }),
    },
  };
}

function gauge(described: { registers: Registry[]; name: string; help: string }, read: () => number): void {
  new Gauge({
    ...described,
    collect() {
      this.set(read());
    },
  });
}
