import { getVariableValues, Kind, parse, validate, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { fencesIn, type Fence } from './fences.ts';
import { pages } from './pages.ts';

const fences = pages.flatMap(fencesIn);
const documents = fences.filter(({ language }) => language === 'graphql');
const variables = fences.filter(({ language, text }) => language === 'json' && text.startsWith('{ "input"'));

describe('the GraphQL of the documentation', () => {
  it('is there', () => {
    expect(documents.length).toBeGreaterThan(5);
    expect(variables.length).toBeGreaterThan(3);
  });

  it.each(documents.map((fence) => [`${fence.page}:${fence.line}`, fence.text]))('%s is valid in the schema', (_, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  });

  it.each(variables.map((fence) => [`${fence.page}:${fence.line}`, fence] as const))('%s has variables that the document before it takes', (_, fence) => {
    const operation = operationBefore(fence);
    for (const line of fence.text.split('\n')) {
      expect(getVariableValues(schema, operation.variableDefinitions ?? [], JSON.parse(line)).errors, line).toBeUndefined();
    }
  });
});

function operationBefore({ page, line }: Fence): OperationDefinitionNode {
  const before = documents.findLast((document) => document.page === page && document.line < line);
  const [definition] = before ? parse(before.text).definitions : [];
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`No operation stands before ${page}:${line}.`);
  return definition;
}
