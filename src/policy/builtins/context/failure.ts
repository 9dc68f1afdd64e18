import { embeddedJson } from '../../embedded-json.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';

/** Whether a tool's result tells of a failure: by its error fields, or by how its text begins. */
export function isFailure(result: Json): boolean {
  return fails(result, 0);
}

/** Results of MCP servers hold their text in blocks, and the text may be JSON again. Deeper ones are taken for content. */
const depthMax = 4;

function fails(result: Json, depth: number): boolean {
  if (depth > depthMax) return false;
  if (typeof result === 'string') return textFails(result, depth);
  if (isJsonList(result)) return result.some((block) => isTextBlock(block) && fails(block['text'] ?? null, depth + 1));
  return isJsonObject(result) && objectFails(result, depth);
}

function textFails(text: string, depth: number): boolean {
  const head = withoutColours(text.slice(0, colouredCharsMax)).trimStart().slice(0, headCharsMax);
  if (head.startsWith('{') || head.startsWith('[')) {
    const parsed = embeddedJson(text);
    if (parsed !== undefined) return fails(parsed, depth + 1);
  }
  return hasErrorKey(head) || (beginnings.some((beginning) => beginning.test(head)) && !saysNone.test(head));
}

/** Codes of a terminal before the text do not change what it says. */
function withoutColours(text: string): string {
  return text.replace(/\u001b\[[\d;]{0,20}m/g, '');
}

const colouredCharsMax = 2000;

/** The reference looks no further. */
const headCharsMax = 500;

const beginnings: readonly RegExp[] = [
  // The reference's.
  /^(?:error(?::| -)|failed:|traceback \(most recent call last\)|exception:|fatal:|command failed|permission denied|no such file or directory|enoent:|eacces:|eperm:)/i,
  // Exceptions by their class: `TypeError: x`, `java.lang.NullPointerException`, `Uncaught Error: x`.
  /^(?:[Uu]ncaught |[Uu]nhandled )?(?:[A-Za-z_$][\w$]{0,80}[.:]{1,2}){0,12}[A-Z][A-Za-z]{0,80}(?:Error|Exception)(?:\s*[:(\n]|\s*$)/,
  /^(?:panic: |Segmentation fault|Killed\s*$|Aborted\s*$|thread '[^'\n]{0,80}' panicked|Unhandled (?:exception|rejection)|Exception in thread |(?:Build|Compilation) failed\b)/,
  /^(?:HTTP(?:\/[\d.]{1,3})? [45]\d\d\b|[45]\d\d (?:not found|internal server error|bad request|forbidden|unauthorized|bad gateway|service unavailable)\b|connect E[A-Z]{4,20} )/i,
  // What a shell or a program says for itself: `bash: line 1: foo: command not found`, `ls: cannot access 'x': No such file or directory`.
  /^[^\s:]{1,80}(?:: [^\n]{0,300})?: (?:command not found|not found|no such file or directory|permission denied|operation not permitted|is a directory|not a directory|cannot execute[^\n]{0,40}|(?:invalid|unrecognized|illegal) option[^\n]{0,80})\.?\s*(?:\n|$)/i,
  /^[^\s:]{1,80}: (?:command not found|no such file or directory): /i,
  /^'[^'\n]{1,200}' is not recognized as an internal or external command/,
  /^(?:npm (?:ERR!|error)|yarn error|error\[E\d+\]|\[?ERROR\]?[\s:]|E: |make(?:\[\d+\])?: \*\*\* |curl: \(\d+\)|<(?:tool_use_)?error>)/,
  // Compilers and test runners: `a.c:1:2: error: x`, `a.ts(1,2): error TS2304: x`, `FAIL test/a.test.ts`.
  /^(?:[^\s:]{1,200}:\d{1,9}(?::\d{1,9})?: (?:fatal )?error: |[^\s(]{1,200}\(\d{1,9},\d{1,9}\): error |FAIL(?:ED)? )/,
  /^error (?:reading|writing|opening|executing|running|loading|fetching|response|code|occurred|in |at |from |while |\d)/i,
  /^(?:failed to |could not |unable to |cannot find |cannot open |unknown command|command timed out|timed out|timeout:|connection refused|access denied)/i,
  // `Exit code: 1`, `Process exited with code 127`, `returned non-zero exit status 2`, also below the output's first lines.
  /(?:^|\n)[^\n]{0,80}\b(?:exit(?:ed)?(?: with)?(?: (?:code|status))|exit_?code|returned? (?:non-zero )?(?:exit )?(?:code|status))\s?[:=]?\s?-?[1-9]\d{0,9}\b/i,
];

/** `failed: 0`, `errors: none`, `error: null`: a report of no failure. */
const saysNone = /^(?:errors?|failed|failures?|exceptions?|fatal)(?::| -)\s{0,9}(?:0|none|nil|null|false|n\/a)\s*(?:[,;.|/()\n]|$)/i;

/** A JSON text that need not be whole: an error's key before the first closing brace, and something that it says. */
function hasErrorKey(head: string): boolean {
  const found = /^\{[^}]*?"error"\s*:\s*(\S{0,5})/.exec(head);
  return found !== null && !/^(?:null|false|0[,}\s]?$|""|\[\]|\{\})/.test(found[1] ?? '');
}

function objectFails(result: JsonObject, depth: number): boolean {
  const known = new Map(Object.entries(result).map(([key, value]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), value]));
  if (known.get('iserror') === true || known.get('success') === false || known.get('ok') === false) return true;
  if (saysSomething(known.get('error')) || saysSomething(known.get('errors'))) return true;
  if (failureCodes.some((key) => isFailureCode(known.get(key)))) return true;
  if (httpCodes.some((key) => Number(known.get(key) ?? 0) >= 400)) return true;
  const status = known.get('status') ?? known.get('type');
  if (typeof status === 'number' && status >= 400 && status < 600) return true;
  if (typeof status === 'string' && /^(?:error|failed|failure)$/i.test(status)) return true;
  return ['content', 'result', 'structuredcontent'].some((key) => {
    const inner = known.get(key);
    return typeof inner === 'object' && fails(inner, depth + 1);
  });
}

const failureCodes = ['exitcode', 'returncode', 'exitstatus'];

const httpCodes = ['statuscode', 'httpstatus'];

/** Of a process: any other than 0. */
function isFailureCode(code: Json | undefined): boolean {
  return (typeof code === 'number' && code !== 0) || (typeof code === 'string' && /^-?\d*[1-9]\d*$/.test(code));
}

/** An error field may be there and empty where all went well. */
function saysSomething(error: Json | undefined): boolean {
  if (error === undefined || error === null || error === false || error === 0) return false;
  if (typeof error === 'string') return !/^\s*(?:none|null|no error)?\s*$/i.test(error);
  if (isJsonList(error)) return error.length > 0;
  return isJsonObject(error) ? Object.keys(error).length > 0 : true;
}

function isTextBlock(block: Json): block is JsonObject {
  return isJsonObject(block) && typeof block['text'] === 'string';
}
