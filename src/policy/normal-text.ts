/** Without what nobody sees, and normalised: texts that look the same to a person or a tool become the same. */
export function normalText(text: string, form: 'NFC' | 'NFKC'): string {
  if (ascii.test(text)) return text;
  return text.replace(invisible, '').replace(pileOfMarks, '$1').normalize(form);
}

const ascii = /^[\t\n\r\x20-\x7e]*$/;

/**
 * Normalising takes time that grows with the square of such a run: a request of 400 kB took 36 s. Unicode's stream-safe
 * text format (UAX 15) says that no honest text has more than 30. The two last ones become marks by normalising.
 */
const pileOfMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Format characters, what fonts do not draw, and control characters except white space. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/gu;
