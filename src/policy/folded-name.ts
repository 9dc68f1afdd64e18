/**
 * A name as it is compared: agents and tool hosts are lenient, so a gate that is fooled by a blank, a capital or an
 * invisible character is no gate. Unicode NFKC, without invisible and control characters, trimmed, in one letter case.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.trim().toLowerCase();
  const visible = name.replace(invisible, '').replace(pileOfMarks, '$1').normalize('NFKC').trim();
  // Upper case first: it is what makes ß equal SS, and both forms of sigma one.
  return visible.toUpperCase().toLowerCase().normalize('NFC');
}

const plain = /^[\x20-\x7e]*$/;

/**
 * Normalising takes time that grows with the square of such a run: a request of 400 kB took 36 s. Unicode's stream-safe
 * text format (UAX 15) says that no honest text has more than 30. The two last ones become marks by normalising.
 */
const pileOfMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Format characters, what fonts do not draw, and control characters except white space. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/gu;
