import { queries } from './operations.ts';
import type { Transport } from './transport.ts';

const withinMilliseconds = 5000;

/** Whether the server answers a call that takes no time. */
export async function isThere(transport: Transport): Promise<boolean> {
  try {
    await transport.call(queries.viewer, {}, AbortSignal.timeout(withinMilliseconds));
    return true;
  } catch {
    return false;
  }
}
