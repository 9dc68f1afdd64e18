import { emitKeypressEvents } from 'node:readline';

export interface Key {
  /** What was typed; empty for keys that type nothing. */
  readonly text: string;
  /** `return`, `escape`, `backspace`, `up`, `down`, `pagedown`, `a` …; `ctrl-c` with control. */
  readonly name: string;
}

/** A terminal that we have for ourselves: the other screen, no echo, no line breaks of its own. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Shows these lines, which must be safe to print, from the top on. Writes nothing where nothing has changed. */
  show(lines: readonly string[]): void;
  /** Gives the terminal to another program, and takes it back. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Leaves it as it was. */
  close(): void;
}

const takeOver = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const giveBack = '\u001b[?7h\u001b[?25h\u001b[?1049l';

export interface ScreenHandlers {
  readonly onKey: (key: Key) => void;
  readonly onResize: () => void;
}

export function openScreen({ stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>, { onKey, onResize }: ScreenHandlers): Screen {
  let shown = '';
  const keypress = (text: string | undefined, { name, ctrl, sequence }: { name?: string; ctrl?: boolean; sequence?: string }) => {
    const isTyped = !ctrl && text !== undefined && !/\p{Cc}/u.test(text);
    onKey({ text: isTyped ? text : '', name: `${ctrl ? 'ctrl-' : ''}${name ?? sequence ?? text ?? ''}` });
  };
  const resized = () => {
    shown = '';
    stdout.write('\u001b[2J');
    onResize();
  };
  const begin = () => {
    stdin.setRawMode(true);
    stdin.resume().on('keypress', keypress);
    stdout.on('resize', resized).write(takeOver);
    shown = '';
  };
  const end = () => {
    stdin.off('keypress', keypress).pause();
    stdin.setRawMode(false);
    stdout.off('resize', resized).write(giveBack);
  };
  emitKeypressEvents(stdin);
  begin();
  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    show(lines) {
      const frame = lines.map((line, index) => `\u001b[${index + 1};1H${line}\u001b[0m\u001b[K`).join('');
      if (frame === shown) return;
      shown = frame;
      stdout.write(frame);
    },
    async lend(work) {
      end();
      try {
        return await work();
      } finally {
        begin();
      }
    },
    close: end,
  };
}
