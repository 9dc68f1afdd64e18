import { normalText } from '../../normal-text.ts';

/** The ids that a text may mean, which is a file's id or a link to it. */
export interface FileReference {
  /** The one file that it names, beyond doubt; null: none, or it could be read in two ways. What is granted, is granted by this. */
  readonly certain: string | null;
  /** Every id that it could mean, to whichever tool. What is withheld, is withheld by these. */
  readonly possible: readonly string[];
}

export function readFileReference(text: string): FileReference {
  if (text.length > textCharsMax) return { certain: null, possible: [] };
  const trimmed = text.trim();
  const possible = [...new Set([...possibleIds(trimmed), ...possibleIds(percentDecoded(percentDecoded(normalText(trimmed, 'NFKC'))))])];
  if (plainId.test(trimmed)) return { certain: trimmed, possible: [...new Set([trimmed, ...possible])] };
  const [only, ...others] = googleLink.test(trimmed) && !/[%\\@]/.test(trimmed) ? [...new Set(linkedIds(trimmed))] : [];
  return { certain: only !== undefined && others.length === 0 ? only : null, possible };
}

/** No link is longer. */
const textCharsMax = 4000;

/** What is no link is an id, to the letter. */
const plainId = /^[^\s/\\:?#&=%@"'<>()[\]{},;]+$/;

const googleLink = /^(?:https?:\/\/)?(?:docs|drive|sheets|slides)\.google\.com\.?(?:[/?#]|$)/i;

function linkedIds(text: string): readonly string[] {
  return [...text.matchAll(pathId), ...text.matchAll(queryId)].map(([, id]) => id ?? '');
}

function possibleIds(text: string): readonly string[] {
  const bare = text.trim().replace(/^["'<([{]+|["'>)\]}]+$/g, '').replace(/^id:/i, '').trim();
  const alone = /^[\w-]+$/.test(bare.replace(/\/$/, '')) ? [bare.replace(/\/$/, '')] : [];
  return [...alone, ...linkedIds(text)];
}

/** `/document/d/ID`, `/document/u/0/d/ID`, `/a/example.com/file/d/ID`, `/folders/ID`, `/files/ID`. */
const pathId = /\/(?:d|folders|files)\/(?:e\/)?([\w-]+)/gi;

const queryId = /[?&#;](?:id|srcid|docid|file_?id|key)=([\w-]+)/gi;

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
