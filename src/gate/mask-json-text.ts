import { embeddedJson } from '../policy/embedded-json.ts';

export interface JsonTextMask {
  /** Whether what stands under the key is a secret as a whole. */
  isSecretKey(key: string): boolean;
  /** A key, or a text that stands under no secret key. */
  text(text: string): string;
  /** A text or a number under a secret key. */
  secret(value: string): string;
}

interface Level {
  readonly isObject: boolean;
  readonly isSecret: boolean;
}

/**
 * A JSON text with its secrets masked where they stand: blanks, numbers and keys that come twice stay as they are, for that is what runs.
 * Null: the text is no JSON object, list or string.
 */
export function maskJsonText(text: string, mask: JsonTextMask): string | null {
  if (!/^\s*["[{]/.test(text) || embeddedJson(text) === undefined) return null;
  const levels: Level[] = [];
  let isKey = false;
  let isSecret = false;
  return text.replace(token, (part) => {
    const level = levels.at(-1);
    switch (part.charAt(0)) {
      case '{':
      case '[':
        levels.push({ isObject: part === '{', isSecret: isSecret || (level?.isSecret ?? false) });
        isKey = part === '{';
        isSecret = false;
        return part;
      case '}':
      case ']':
        levels.pop();
        isKey = false;
        isSecret = false;
        return part;
      case ',':
        isKey = level?.isObject ?? false;
        isSecret = false;
        return part;
      case ':':
        isKey = false;
        return part;
      case '"': {
        const value = JSON.parse(part) as string;
        if (isKey) isSecret = mask.isSecretKey(value);
        const masked = !isKey && (isSecret || level?.isSecret) ? mask.secret(value) : mask.text(value);
        return masked === value ? part : JSON.stringify(masked);
      }
      default:
        return (isSecret || level?.isSecret) && /^[-\d]/.test(part) ? JSON.stringify(mask.secret(part)) : part;
    }
  });
}

const token = /"[^"\\]*(?:\\[^][^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;
