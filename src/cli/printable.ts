/** A text on one line, safe to print: what a policy says may repeat an agent's words, and these may try to steer the terminal or to hide. */
export function printable(text: string): string {
  return text.replace(hiddenOrSteering, (character) => escapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** As in what the server shows: also variation selectors, blanks that are no plain space, and letters that are drawn as nothing. */
const hiddenOrSteering = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;
