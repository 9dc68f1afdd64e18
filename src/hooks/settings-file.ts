import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { applyEdits, modify, parse, printParseErrorCode, type JSONPath, type ParseError } from 'jsonc-parser';
import type { Json, JsonObject } from '../sdk/json.ts';
import { isObject } from './json.ts';

/** Settings that cannot be read or are not what the host takes. Nothing was changed. The message is one line: the file, the place, what is wrong. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault';
}

/** A host's settings as text, edited without touching what else is in it: order, comments and indentation stay. */
export class SettingsText {
  readonly #file: string;
  #text: string;

  /** Null: there is no file yet. */
  constructor(file: string, text: string | null, base: JsonObject) {
    this.#file = file;
    this.#text = text === null || text.trim() === '' ? `${JSON.stringify(base, null, 2)}\n` : text;
  }

  get text(): string {
    return this.#text;
  }

  /** Throws a `SettingsFault`. Comments and trailing commas are taken: some hosts do. */
  json(): JsonObject {
    const errors: ParseError[] = [];
    const json = parse(this.#text, errors, { allowTrailingComma: true }) as Json | undefined;
    const [error] = errors;
    if (error) throw new SettingsFault(`${this.#file}:${placeOf(this.#text, error.offset)}: ${printParseErrorCode(error.error)}: it is no JSON. Mend it; nothing was changed`);
    if (!isObject(json)) throw new SettingsFault(`${this.#file} must hold a JSON object; nothing was changed`);
    return json;
  }

  /** The lists below `hooks`, by event. Throws a `SettingsFault`. */
  hooks(): Readonly<Record<string, readonly Json[]>> {
    const { hooks = {} } = this.json();
    if (!isObject(hooks)) throw new SettingsFault(`${this.#file}: hooks must be an object; nothing was changed`);
    for (const [event, list] of Object.entries(hooks)) if (!Array.isArray(list)) throw new SettingsFault(`${this.#file}: hooks.${event} must be a list; nothing was changed`);
    return hooks as Readonly<Record<string, readonly Json[]>>;
  }

  append(event: string, entry: JsonObject): void {
    const place = this.hooks()[event]?.length ?? -1;
    if (place < 0) this.#edit(['hooks', event], [entry]);
    else this.#edit(['hooks', event, place], entry, true);
  }

  remove(at: JSONPath): void {
    this.#edit(at, undefined);
  }

  #edit(at: JSONPath, value: unknown, isArrayInsertion = false): void {
    const indent = /^([ \t]+)\S/m.exec(this.#text)?.[1] ?? '  ';
    const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: this.#text.includes('\r\n') ? '\r\n' : '\n' };
    this.#text = applyEdits(this.#text, modify(this.#text, at, value, { formattingOptions, isArrayInsertion }));
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

/** Null: there is no such file. Throws a `SettingsFault`. */
export function readSettings(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SettingsFault(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Writes it whole or not at all, with the rights that it has; a link stays one. Null: removes it. Throws a `SettingsFault`. */
export function writeSettings(file: string, text: string | null): void {
  try {
    if (text === null) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    const known = statSync(file, { throwIfNoEntry: false });
    const target = known ? realpathSync(file) : file;
    const written = `${target}.countersign-${process.pid}`;
    writeFileSync(written, text, { flag: 'wx' });
    if (known) chmodSync(written, known.mode);
    renameSync(written, target);
  } catch (error) {
    throw new SettingsFault(`${file} cannot be written: ${(error as Error).message}`);
  }
}
