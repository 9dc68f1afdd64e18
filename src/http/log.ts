import { pino } from 'pino';
import type { Log } from '../gate/gate.ts';

export interface ServerLog extends Log {
  debug(fields: object, message: string): void;
}

/** JSON lines on stderr, or lines for people when it is a terminal. Neither arguments nor credentials are logged; what an error quotes of them is masked. */
export async function createLog(level: string, mask: (line: string) => string): Promise<ServerLog> {
  const to = { destination: 2, dest: 2, sync: true };
  const stream = process.stderr.isTTY ? (await import('pino-pretty')).PinoPretty(to) : pino.destination(to);
  const log: ServerLog = pino({ level, base: null }, { write: (line: string) => stream.write(mask(line)) });
  return log;
}
