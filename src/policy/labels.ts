/** Rules that a label write must pass; what does not pass is dropped, silently and key by key. */
export interface LabelRules {
  /** The keys that the policy may write. Null: any that is not reserved. */
  readonly writableLabels: readonly string[] | null;
  /** Key → the values that policies may write to it. Keys without an entry are free. */
  readonly labelValues: Readonly<Record<string, readonly string[]>>;
}

/** Of the labels that a policy wants to write, those that it may. */
export function permittedLabels(wanted: Readonly<Record<string, string>>, rules: LabelRules): [key: string, value: string][] {
  return Object.entries(wanted).filter(([key, value]) => {
    if (isReservedLabel(key)) return false;
    if (rules.writableLabels && !rules.writableLabels.includes(key)) return false;
    const values = Object.hasOwn(rules.labelValues, key) ? rules.labelValues[key] : undefined;
    return values === undefined || values.includes(value);
  });
}

/** Only the server writes these: neither clients nor policies. Among them the reference system's, which carry who acts. */
export function isReservedLabel(key: string): boolean {
  return (
    key.startsWith('__') ||
    key.startsWith('countersign.') ||
    key.startsWith('cost_control.') ||
    key.startsWith('omnigent.pinned.') ||
    key === 'omnigent.turn_actor'
  );
}

export const labelKeyCharsMax = 128;

export const labelValueCharsMax = 256;
