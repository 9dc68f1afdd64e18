/**
 * Beginning and end of a text that is too long to be shown to a model whole, with a mark between them: what stands only at the end
 * must not be hidden by padding.
 */
export function excerptForModel(text: string): string {
  if (text.length <= 2 * half) return text;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  return `${start.toWellFormed()}\n[… ${text.length - 2 * half} characters are left out here …]\n${end.toWellFormed()}`;
}

const half = 8000;
