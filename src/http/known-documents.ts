import type { DocumentNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { boundedCache } from './bounded-cache.ts';

/** What a parsed document and its validation keep in memory for each of its words and signs, measured. */
const bytesPerToken = 500;

/** Documents that have been parsed, by their text, and which of them have been found valid. */
export class KnownDocuments {
  /** Yoga's cache of what it has parsed. */
  readonly parsed = boundedCache<DocumentNode>(({ tokenCount = 0 }) => tokenCount * bytesPerToken);
  readonly #valid = new WeakSet<DocumentNode>();

  /** Sees which documents Yoga finds valid. */
  readonly plugin: Plugin = {
    onValidate: ({ params: { documentAST } }) => ({ result }) => {
      if (result.length === 0) this.#valid.add(documentAST as DocumentNode);
    },
  };

  /** Null: it has not been found valid, or that was long ago. */
  findValid(text: string): DocumentNode | null {
    const document = this.parsed.get(text);
    return document && this.#valid.has(document) ? document : null;
  }
}
