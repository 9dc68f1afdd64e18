/** What speaks against an act. None (null) means: nothing does. */
export interface Finding {
  readonly verdict: 'ASK' | 'DENY';
  /** A sentence for a person. */
  readonly reason: string;
}

export function denial(reason: string): Finding {
  return { verdict: 'DENY', reason };
}

/** Something that the decision needs cannot be known; what becomes of it, the param `on_uncertain` says. */
export function doubt(reason: string): Finding {
  return { verdict: 'ASK', reason };
}

/** The first denial, else the first doubt, else null. */
export function strictest(findings: Iterable<Finding | null>): Finding | null {
  let found: Finding | null = null;
  for (const finding of findings) {
    if (finding?.verdict === 'DENY') return finding;
    found ??= finding;
  }
  return found;
}

/** Of what is only supposed to run, at most a doubt is left. */
export function atMostDoubt(finding: Finding | null): Finding | null {
  return finding?.verdict === 'DENY' ? doubt(finding.reason) : finding;
}
