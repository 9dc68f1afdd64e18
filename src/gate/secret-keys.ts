import type { SecretPattern } from './secret-shapes.ts';

/** Of the names that end so, what belongs to the name is a secret: `db_password`, `X-Api-Key`, `accessToken`. */
const builtinKeys = [
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'secrets',
  'token',
  'api_key',
  'access_key',
  'secret_key',
  'private_key',
  'signing_key',
  'encryption_key',
  'account_key',
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'session_key',
];

/** They end like a secret's name and are none: where a list goes on. */
const builtinExceptions = ['page_token', 'next_token', 'continuation_token', 'sync_token', 'pagination_token'];

export interface SecretKeys {
  /** Whether what stands under this key is a secret. Letter case, `_`, `-`, `.` and blanks make no difference. */
  includes(key: string): boolean;
  /** Whether a text has such a name at all: only then are the patterns worth their time. */
  isNamedIn(text: string): boolean;
  /** Where a text gives such a name a value: `PASSWORD=…`, `--password …`, `"password": "…"`, `Cookie: …`, `mysql -p…`. */
  readonly patterns: readonly SecretPattern[];
}

/** `keys` beside the built-in ones; `exceptKeys` are none, if they are the whole key or its end. */
export function createSecretKeys({ keys, exceptKeys }: { keys: readonly string[]; exceptKeys: readonly string[] }): SecretKeys {
  const endings = [...builtinKeys, ...keys].map(normalKey).filter((key) => key !== '');
  const exceptions = [...builtinExceptions, ...exceptKeys].map(normalKey).filter((key) => key !== '');
  const decided = new Map<string, boolean>();
  const decide = (key: string) => {
    const normal = normalKey(key);
    return endings.some((ending) => normal.endsWith(ending)) && !exceptions.some((exception) => normal.endsWith(exception));
  };
  const names = namesPattern([...builtinKeys, ...keys], [...builtinExceptions, ...exceptKeys]);
  const anyName = new RegExp(names, 'i');
  return {
    includes(key) {
      const known = decided.get(key);
      if (known !== undefined) return known;
      if (decided.size >= decidedMax) decided.clear();
      const isSecret = decide(key);
      decided.set(key, isSecret);
      return isSecret;
    },
    isNamedIn: (text) => anyName.test(text) || programs.test(text),
    patterns: assignments(names),
  };
}

const decidedMax = 4096;

function normalKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function namesPattern(keys: readonly string[], exceptions: readonly string[]): string {
  const alternatives = (list: readonly string[]) => list.map(spelled).filter((name) => name !== '').join('|');
  return `(?:${alternatives(keys)})(?<!(?:${alternatives(exceptions)}))`;
}

/** `api_key` also as `apiKey` and `api-key`. */
function spelled(key: string): string {
  return key.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '').join('[_.-]?');
}

const programs = /\b(?:mysql|mariadb|sshpass|curl|wget)/;

function assignments(names: string): SecretPattern[] {
  const name = `(?<![\\w.-])[\\w.-]{0,128}${names}`;
  const sign = '\\s{0,3}(?:=>|:=|={1,3}|:)\\s{0,3}';
  const word = '[^\\s"\'`&;|<>()\\\\,={}\\[\\]][^\\s"\'`&;|<>()\\\\,]{0,4095}';
  /** What a shell puts in is no secret yet, and what is called is code. */
  const literal = '(?!\\$[({A-Z_])(?![\\w.]{1,64}\\()';
  return [
    // In quotes, as in JSON and in programs: within escapes, within texts of programs.
    new RegExp(`(${name}["']?${sign}")(?!\\$[({A-Z_])((?:[^"\\\\\\r\\n]|\\\\[^]){1,4096})`, 'gi'),
    new RegExp(`(${name}["']?${sign}')(?!\\$[({A-Z_])((?:[^'\\\\\\r\\n]|\\\\[^]){1,4096})`, 'gi'),
    new RegExp(`(${name}\\\\{1,7}["']${sign}\\\\{1,7}["'])([^"'\\\\\\r\\n]{1,4096})`, 'gi'),
    new RegExp(`(${name}=)${literal}(${word})`, 'gi'),
    new RegExp(`((?<![\\w-])--?[\\w-]{0,64}${names}\\s{1,4})(?!-)${literal}(${word})`, 'gi'),
    new RegExp(`((?<![\\w-])--?[\\w-]{0,64}${names}[=\\s]["'])(?!\\$[({A-Z_])([^"'\\r\\n]{1,4096})`, 'gi'),
    // Headers, and lines of YAML.
    new RegExp(`((?<![\\w-])(?:proxy-)?authorization\\s{0,2}:\\s{0,4})([^"'\\s][^"'\\r\\n]{0,8191})`, 'gi'),
    new RegExp(`((?<![\\w-])(?:set-)?cookie2?\\s{0,2}:\\s{0,4})([^"'\\s][^"'\\r\\n]{0,8191})`, 'gi'),
    new RegExp(`(["'][\\w-]{0,64}${names}:\\s{0,4})(?!\\$[({A-Z_])([^"'\\s][^"'\\r\\n]{0,8191})(?=["'])`, 'gi'),
    new RegExp(`(^[ \\t-]{0,64}[\\w.-]{0,64}${names}:[ \\t]{1,16})(?!(?:string|str|number|int|boolean|bool|null|none|undefined|any|unknown|true|false)\\b)([^\\s"'#;,|(){}<>$\\[\\]*&!][^\\s"';,|(){}<>]{0,4095})(?=[ \\t]{0,16}$)`, 'gim'),
    /(\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mariadb-admin)\b[^\r\n|;&]{0,512}?\s-p)(?!\$[({A-Z_])([^\s"'-][^\s"']{0,1023})/g,
    /(\bsshpass\s{1,4}-p\s{0,4}["']?)(?!\$[({A-Z_])([^\s"'][^\s"']{0,1023})/g,
    /(\b(?:curl|wget)\b[^\r\n|;&]{0,512}?\s(?:-u|--user|--proxy-user)[\s=]{0,4}["']?[^\s:"'-][^\s:"']{0,255}:)(?!\$[({A-Z_])([^\s"']{1,1024})/g,
  ];
}
