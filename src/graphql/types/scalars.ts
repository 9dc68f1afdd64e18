import { GraphQLError, GraphQLScalarType, Kind, print } from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';
import { builder } from '../builder.ts';
import { jsonLiteral, jsonObjectLiteral } from '../json-literal.ts';

const jsonSpecification = 'https://www.rfc-editor.org/rfc/rfc8259';

builder.addScalarType(
  'DateTime',
  new GraphQLScalarType({
    ...GraphQLDateTime.toConfig(),
    description:
      'A moment, as RFC 3339 text. Output is always UTC with milliseconds: `2026-08-14T09:30:00.000Z`. Input may have any offset and precision; it is kept to the millisecond.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
    serialize: (value) => {
      if (value instanceof Date) return value.toISOString();
      throw new TypeError('A DateTime field must resolve to a Date.');
    },
    parseValue: (value) => moment(GraphQLDateTime.parseValue(value)),
    parseLiteral: (node) => moment(GraphQLDateTime.parseLiteral(node)),
  }),
);

builder.addScalarType(
  'JSON',
  new GraphQLScalarType({
    name: 'JSON',
    description: 'Any JSON value: object, list, string, number, boolean or null.',
    specifiedByURL: jsonSpecification,
    parseValue: (value) => value,
    parseLiteral: jsonLiteral,
  }),
);

builder.addScalarType(
  'JSONObject',
  new GraphQLScalarType({
    name: 'JSONObject',
    description: 'A JSON object. Lists and bare values are refused. As input at most 24 levels deep and 1,048,576 bytes, without the key `__proto__`.',
    specifiedByURL: jsonSpecification,
    serialize: objectOf,
    parseValue: objectOf,
    parseLiteral: (node, variables) => {
      if (node.kind === Kind.OBJECT) return jsonObjectLiteral(node, variables);
      throw new GraphQLError(`A JSON object is needed, not ${excerpt(print(node))}.`, { nodes: node });
    },
  }),
);

/** A leap second passes the check of the text and is no Date. */
function moment(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new GraphQLError('DateTime takes no leap second: write the second after it.');
  return date;
}

function objectOf(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new GraphQLError(`A JSON object is needed, not ${nounOf(value)}.`);
}

function nounOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `the ${typeof value} ${excerpt(JSON.stringify(value))}`;
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
