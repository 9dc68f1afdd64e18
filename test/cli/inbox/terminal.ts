import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import path from 'node:path';
import { eventually } from '../../support/journey.ts';

const program = path.join(import.meta.dirname, '../../../src/cli/main.ts');

/** A program in a real pseudo terminal, and what a person sees of it. */
export interface Terminal {
  /** The screen, a line each, without blanks at the ends. */
  lines(): readonly string[];
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until it is on the screen; fails with the screen. */
  shows(text: string | RegExp): Promise<void>;
  lacks(text: string): Promise<void>;
  /** Every byte that the program sent. */
  readonly sent: () => string;
  readonly exit: Promise<number>;
  kill(): void;
}

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
}

export function openTerminal(words: readonly string[], { columns, rows, env }: TerminalOptions): Terminal {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = spawn(process.execPath, [program, ...words], { cols: columns, rows, env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', XDG_CONFIG_HOME: '/nonexistent', ...env } });
  let sent = '';
  pty.onData((text) => {
    sent += text;
    screen.write(text);
  });
  const { promise: exit, resolve } = Promise.withResolvers<number>();
  pty.onExit(({ exitCode }) => resolve(exitCode));

  const lines = () => Array.from({ length: screen.rows }, (_, row) => screen.buffer.active.getLine(screen.buffer.active.viewportY + row)?.translateToString(true).trimEnd() ?? '');
  const whole = () => lines().join('\n');
  const until = async (isThere: (text: string) => boolean, what: string) => {
    await eventually(async () => isThere(whole())).catch(() => eventually(async () => isThere(whole()))).catch(() => {
      throw new Error(`${what}, but the screen is:\n${whole()}`);
    });
  };
  return {
    lines,
    type: (keys) => pty.write(keys),
    resize(toColumns, toRows) {
      screen.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
    shows: (text) => until((shown) => (typeof text === 'string' ? shown.includes(text) : text.test(shown)), `It was to show ${String(text)}`),
    lacks: (text) => until((shown) => !shown.includes(text), `It was not to show ${text}`),
    sent: () => sent,
    exit,
    kill: () => pty.kill('SIGKILL'),
  };
}
