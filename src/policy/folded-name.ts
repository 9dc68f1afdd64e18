/**
 * A name as it is compared: agents and tool hosts are lenient, so a gate that is fooled by a blank, a capital or an
 * invisible character is no gate. Unicode NFKC, without invisible and control characters, trimmed, in one letter case.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.trim().toLowerCase();
  // Upper case first: it is what makes ß equal SS, and both forms of sigma one.
  return name.normalize('NFKC').replace(invisible, '').trim().toUpperCase().toLowerCase();
}

const plain = /^[\x20-\x7e]*$/;

/** Format characters, what fonts do not draw, and control characters except white space. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/gu;
