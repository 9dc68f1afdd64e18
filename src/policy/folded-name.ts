import { normalText } from './normal-text.ts';

/**
 * A name as it is compared: agents and tool hosts are lenient, so a gate that is fooled by a blank, a capital or an
 * invisible character is no gate. Unicode NFKC, without invisible and control characters, trimmed, in one letter case.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.trim().toLowerCase();
  // Upper case first: it is what makes ß equal SS, and both forms of sigma one.
  return normalText(name, 'NFKC').trim().toUpperCase().toLowerCase().normalize('NFC');
}

const plain = /^[\x20-\x7e]*$/;
