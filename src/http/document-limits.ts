import { GraphQLError, Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode, type ValidationRule } from 'graphql';

export interface DocumentLimits {
  readonly documentDepth: number;
  readonly documentAliases: number;
}

/** Refuses a document whose operations nest too deep or have too many aliases, fragments counted where they are used. */
export function documentLimits({ documentDepth, documentAliases }: DocumentLimits): ValidationRule {
  return (context) => ({
    Document(document) {
      const { depth, aliases } = largestOf(document);
      if (depth > documentDepth) context.reportError(tooMuch('DOCUMENT_TOO_DEEP', `The document nests ${depth} fields; the limit is ${documentDepth}.`));
      if (aliases > documentAliases) context.reportError(tooMuch('TOO_MANY_ALIASES', `The document has ${aliases} aliases; the limit is ${documentAliases}.`));
    },
  });
}

/** Which limit an error of this code is about; null: none. */
export function documentLimitOf(code: unknown): string | null {
  if (code === 'DOCUMENT_TOO_DEEP') return 'limits.documentDepth';
  return code === 'TOO_MANY_ALIASES' ? 'limits.documentAliases' : null;
}

interface Size {
  readonly depth: number;
  readonly aliases: number;
}

const nothing: Size = { depth: 0, aliases: 0 };

function largestOf(document: DocumentNode): Size {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const known = new Map<string, Size>();

  const sizeOf = (set: SelectionSetNode | undefined): Size => {
    let depth = 0;
    let aliases = 0;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? sizeOfFragment(selection.name.value) : sizeOf(selection.selectionSet);
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
      aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
    }
    return { depth, aliases };
  };
  const sizeOfFragment = (name: string): Size => {
    const size = known.get(name);
    if (size) return size;
    known.set(name, nothing); // one that contains itself is refused by another rule; here it must only come to an end
    const found = sizeOf(fragments.get(name)?.selectionSet);
    known.set(name, found);
    return found;
  };

  return document.definitions.reduce<Size>((largest, definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return largest;
    const size = sizeOf(definition.selectionSet);
    return { depth: Math.max(largest.depth, size.depth), aliases: Math.max(largest.aliases, size.aliases) };
  }, nothing);
}

function tooMuch(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
