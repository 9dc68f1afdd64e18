import type { CelEnv } from '@bufbuild/cel';

/** Functions by name, as the planner looks them up. */
export type Functions = CelEnv['funcs'];

/** All functions of one name. */
export type Group = NonNullable<ReturnType<Functions['find']>>;

/**
 * A function as the planner calls it; undefined: it is not made for these arguments. What it throws ends the evaluation, what it
 * returns as an error the expression may still absorb.
 */
export type Call = Group['call'];
