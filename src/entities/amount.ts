import { p } from '@mikro-orm/core';

/** A column of tokens or dollars that is added to: a double, so that no sum is too large for it. Whole numbers are exact up to 2^53. */
export function amount() {
  return p.double().runtimeType('number').$type<number>();
}

/** A sum of dollars as it was meant: ten reports of ten cents are a dollar, though in binary a little less. To the billionth. */
export function summedUsd(sum: number): number {
  return Number(sum.toFixed(9));
}
