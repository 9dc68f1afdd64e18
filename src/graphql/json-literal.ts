import { GraphQLError, Kind, type ObjectValueNode, type ValueNode } from 'graphql';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/**
 * The JSON value that a literal in a document writes. As for input objects, a key whose variable is not given is left out.
 * Objects have no prototype, so that `__proto__` is a key like any other, for the gate to refuse.
 */
export function jsonLiteral(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
      return exact(node.value);
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((value) => jsonLiteral(value, variables) ?? null);
    case Kind.OBJECT:
      return jsonObjectLiteral(node, variables);
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.ENUM:
      throw new GraphQLError(`JSON has no enum values: write "${node.value}", in quotes.`, { nodes: node });
    default:
      return node satisfies never;
  }
}

/** Infinite, which is refused with its place, where the number would not come back as it went in. */
function exact(digits: string): number {
  const value = Number(digits);
  return Number.isSafeInteger(value) || (Number.isFinite(value) && BigInt(digits) === BigInt(value)) ? value : Infinity;
}

export function jsonObjectLiteral({ fields }: ObjectValueNode, variables: Variables): object {
  const object = Object.create(null) as Record<string, unknown>;
  for (const { name, value } of fields) {
    const given = jsonLiteral(value, variables);
    if (given !== undefined) object[name.value] = given;
  }
  return object;
}
