/** A text on one line, safe to print: what a policy says may repeat an agent's words, and these may try to steer the terminal or to hide. */
export function printable(text: string): string {
  return text.replace(hiddenOrSteering, (character) => escapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hiddenOrSteering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
