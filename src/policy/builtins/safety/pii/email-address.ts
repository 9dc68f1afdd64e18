import type { PiiText } from './pii-text.ts';
import { bound } from './too-much-to-search.ts';

/** Whether the text holds an email address: in any script, spelled out (`alice [at] example [dot] com`), quoted or with blanks around its sign. Throws `TooMuchToSearch` where there are too many signs. */
export function holdsEmailAddress({ text }: PiiText): boolean {
  return hasAddress(text) || spelledOut.test(text) || (text.includes('@') && spaced.test(text)) || hasAddress(withMarks(text));
}

function hasAddress(text: string): boolean {
  let signs = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (text.charAt(at + 1) === '@') continue;
    signs += 1;
    bound(signs, signsMax);
    const local = /(?:[\p{L}\p{M}\p{N}._%+'-]{1,64}|"[^"\n]{1,64}")$/u.exec(text.slice(Math.max(0, at - 66), at))?.[0] ?? '';
    const domain = /^(?:[\p{L}\p{M}\p{N}.-]{1,253}|\[(?:\d{1,3}\.){3}\d{1,3}\])/u.exec(text.slice(at + 1, at + 256))?.[0] ?? '';
    if (/[\p{L}\p{N}_%+"-]/u.test(local) && isDomain(domain) && !isOther(text, { local, domain, at })) return true;
  }
  return false;
}

const signsMax = 20_000;

/** With a dot, and behind it a top level of two letters or more. */
function isDomain(domain: string): boolean {
  return domain.startsWith('[') || /[\p{L}\p{M}\p{N}.-]\.(?:xn--[a-z0-9-]{2,}|[\p{L}\p{M}]{2,})/iu.test(domain);
}

/** What has the same form: a version of a package (`react@18.2.0-rc.one`), a picture for dense screens (`icon@2x.png`), a git remote (`git@host:path`). */
function isOther(text: string, { local, domain, at }: { local: string; domain: string; at: number }): boolean {
  if (/^v?\d+\.\d+/.test(domain)) return true;
  if (/^[1-4]x\.(?:png|jpe?g|gif|webp|svg|avif|bmp|css)/i.test(domain)) return true;
  const behind = text.slice(at + 1 + domain.length, at + 3 + domain.length);
  return /(?:^|[^\p{L}\p{N}])git$/u.test(local) && /^(?::[^\s]|\/)/.test(behind);
}

const topLevels = 'com|org|net|edu|gov|mil|info|io|co|dev|app|ai|me|de|uk|fr|eu|es|it|nl|ch|at|se|no|dk|fi|pl|ru|cn|jp|in|br|ca|au|us';

/** `alice at example dot com`. */
const spelledOut = new RegExp(`[\\p{L}\\p{N}_%+.-]\\s{1,3}(?:at|\\(at\\)|\\[at\\]|@)\\s{1,3}(?!(?:the|a|an|this|that|each|every)\\s)[\\p{L}\\p{N}-]{1,63}(?:\\s{1,3}dot\\s{1,3}[\\p{L}\\p{N}-]{1,63}){0,4}\\s{1,3}dot\\s{1,3}(?:${topLevels})(?![\\p{L}\\p{N}])`, 'iu');

/** `alice @ example.com`, `alice@ example.com`, `alice@example . com`. */
const spaced = new RegExp(`[\\p{L}\\p{N}_%+-](?: @ |@ )[\\p{L}\\p{N}.-]{1,63}\\.(?:${topLevels})(?![\\p{L}\\p{N}(.])|[\\p{L}\\p{N}_%+-] ?@ ?[\\p{L}\\p{N}-]{1,63} \\. ?(?:${topLevels})(?![\\p{L}\\p{N}(.])`, 'iu');

/** `[at]`, `(dot)` and the like as what they mean. */
function withMarks(text: string): string {
  return text.replace(/\s{0,3}[([{<]\s{0,3}(?:at|@)\s{0,3}[)\]}>]\s{0,3}/gi, '@').replace(/\s{0,3}[([{<]\s{0,3}(?:dot|\.)\s{0,3}[)\]}>]\s{0,3}/gi, '.');
}
