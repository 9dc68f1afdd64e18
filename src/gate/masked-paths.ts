import type { Evaluation } from '../entities/evaluation.entity.ts';

type Paths = Evaluation['maskedPaths'];

/** As they are stored: null for none. */
export function below(field: '/event' | '/data', paths: readonly string[]): Paths {
  return paths.length > 0 ? paths.map((path) => `${field}${path}`) : null;
}

export function joined(one: Paths, other: Paths): Paths {
  return one && other ? [...one, ...other] : (one ?? other);
}

/** Those that are not below `/data`. */
export function ofEvent(paths: Paths): Paths {
  const kept = paths?.filter((path) => path.startsWith('/event')) ?? [];
  return kept.length > 0 ? kept : null;
}
