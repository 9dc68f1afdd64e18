import type { Log } from '../../src/gate/gate.ts';

/** A log that tests can read. */
export interface LogBook extends Log {
  readonly lines: { level: 'info' | 'warn' | 'error'; fields: object; message: string }[];
}

export function createLogBook(): LogBook {
  const lines: LogBook['lines'] = [];
  const write = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}
