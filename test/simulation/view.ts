import { lineage, type Model } from './model.ts';

/** What can be seen from outside. The model says what it must be, the world what it is. */
export interface View {
  /** By tag: status, verdict, who decided, elicitation, ticket, when it is abandoned, whether writes are withheld, what to run instead. */
  readonly evaluations: Readonly<Record<string, string>>;
  /** By tag: status, by whom, deadline, which evaluations. */
  readonly elicitations: Readonly<Record<string, string>>;
  readonly sessions: readonly SessionView[];
  /** The tags of what is pending anywhere, and of what is pending in the first session and below it. */
  readonly pending: readonly string[];
  readonly pendingBelowFirst: readonly string[];
  /** By caller: `holding`, or the answer. Those that left are not waited for. */
  readonly answers: Readonly<Record<number, string>>;
  /** How many calls whose caller left are still under way: what they do is not done yet. */
  readonly leaving: number;
  /** How many calls the gate holds. */
  readonly held: number;
  /** By act of the last step: what it was told. */
  readonly outcomes: Readonly<Record<number, string>>;
  /** What the gate logged as an error and should not have. */
  readonly faults: readonly string[];
}

interface SessionView {
  readonly ended: boolean;
  readonly state: string;
  readonly labels: string;
  readonly evaluators: readonly string[];
}

export function viewOf(model: Model): View {
  const pending = model.elicitations.filter(({ status, expiresAt }) => status === 'PENDING' && expiresAt > model.time);
  const holding = model.callers.filter(({ state }) => state === 'holding');
  return {
    evaluations: byTag(
      model.evaluations.map(({ tag, key, status, verdict, decidedBy, elicitation, ticket, abandonAt, data }) => [
        tag,
        evaluationText({ key, status, verdict, decidedBy, elicitation, ticket, abandonAt, isWithheld: status === 'AWAITING_APPROVAL', data }),
      ]),
    ),
    elicitations: byTag(
      model.elicitations.map(({ tag, status, by, expiresAt }) => {
        const evaluations = model.evaluations.filter(({ elicitation }) => elicitation === tag).map((evaluation) => evaluation.tag);
        return [tag, elicitationText({ status, by, expiresAt, evaluations })];
      }),
    ),
    sessions: model.sessions.map(({ ended, state, labels, evaluators }) => ({ ended, state: objectText(state), labels: objectText(labels), evaluators: evaluators.toSorted() })),
    pending: pending.map(({ tag }) => tag).sort(),
    pendingBelowFirst: pending.filter(({ session }) => lineage(model, session).includes(0)).map(({ tag }) => tag).sort(),
    answers: Object.fromEntries(model.callers.flatMap(({ number, state }) => (state === 'left' ? [] : [[number, state]]))),
    leaving: 0,
    held: holding.length,
    outcomes: model.outcomes,
    faults: [],
  };
}

export function byTag(texts: readonly (readonly [tag: string, text: string])[]): Record<string, string> {
  const sorted = texts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Two of one tag are one too many: shown as such, for nothing may be doubled.
  return Object.fromEntries(sorted.map(([tag, text], index) => [sorted[index - 1]?.[0] === tag ? `${tag} again` : tag, text]));
}

interface EvaluationFacts {
  readonly key: string | null;
  readonly status: string;
  readonly verdict: string;
  readonly decidedBy: string | null;
  readonly elicitation: string | null;
  readonly ticket: boolean;
  readonly abandonAt: number | null;
  readonly isWithheld: boolean;
  readonly data: unknown;
}

export function evaluationText({ key, status, verdict, decidedBy, elicitation, ticket, abandonAt, isWithheld, data }: EvaluationFacts): string {
  const facts = [
    `${status} ${verdict} by ${decidedBy ?? 'nobody'}`,
    key === null ? '' : `key ${key}`,
    elicitation === null ? '' : `waits for ${elicitation}`,
    ticket && status === 'AWAITING_APPROVAL' ? 'ticket' : '', // of no meaning any more once it is decided
    abandonAt === null ? '' : `abandoned at ${abandonAt}`,
    isWithheld ? 'writes withheld' : '',
    data === null ? '' : JSON.stringify(data),
  ];
  return facts.filter(Boolean).join(', ');
}

export function elicitationText({ status, by, expiresAt, evaluations }: { status: string; by: string | null; expiresAt: number; evaluations: readonly string[] }): string {
  return `${status} by ${by ?? 'nobody'}, until ${expiresAt}, for ${evaluations.toSorted().join(' ')}`;
}

/** The same for the same members, in whatever order they were written. */
export function objectText(object: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))));
}
