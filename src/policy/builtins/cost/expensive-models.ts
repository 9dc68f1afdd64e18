import { foldName } from '../../folded-name.ts';

/**
 * Whether the hard limit stops a model. Without a list it stops every one. With a list, those whose id holds one of its words, and those
 * that nobody can name: none, a blank or an endless one, and one in letters that no model's id is written in, such as a Cyrillic о in `оpus`.
 */
export function createModelStop(expensiveModels: readonly string[] | null): (model: unknown) => boolean {
  const words = (expensiveModels ?? []).map(foldName);
  if (words.length === 0) return () => true;
  return (model) => {
    if (typeof model !== 'string' || model.length > idCharsMax) return true;
    const id = foldName(model);
    return id === '' || !plain.test(id) || words.some((word) => id.includes(word));
  };
}

/** The gate takes no longer ones. */
const idCharsMax = 256;

const plain = /^[\x20-\x7e]*$/;
