import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** A client's program. What the contract forbids is marked as an error, and is one. */
const client = `
import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
import type { EvaluateDocument, InboxDocument, NodeDocument, ResolveDocument, SessionsDocument, StartSessionDocument } from './graphql';

export const call: VariablesOf<typeof EvaluateDocument> = { sessionId: 'ses_1', key: 'k', event: { toolCall: { name: 'Bash', arguments: { command: 'ls' } } } };
export const bare: VariablesOf<typeof EvaluateDocument> = { sessionId: 'ses_1', key: 'k', event: { toolCall: { name: 'Bash' } } };
// @ts-expect-error a tool call has a name
export const nameless: VariablesOf<typeof EvaluateDocument> = { sessionId: 'ses_1', key: 'k', event: { toolCall: { arguments: {} } } };
// @ts-expect-error an event is exactly one thing
export const both: VariablesOf<typeof EvaluateDocument> = { sessionId: 'ses_1', key: 'k', event: { response: { content: 'a' }, toolCall: { name: 'Bash' } } };
// @ts-expect-error there is no such action
export const shrug: VariablesOf<typeof ResolveDocument> = { input: { elicitationId: 'elc_1', action: 'SHRUG' } };
export const session: VariablesOf<typeof StartSessionDocument> = { input: { agentId: 'agt_1', labels: { env: 'prod' } } };
export const all: VariablesOf<typeof SessionsDocument> = {};

export function permits({ evaluatePolicy }: ResultOf<typeof EvaluateDocument>): boolean {
  switch (evaluatePolicy.__typename) {
    case 'Evaluation':
      return evaluatePolicy.verdict === 'ALLOW' && evaluatePolicy.status === 'DECIDED';
    case 'IdempotencyKeyReusedError':
      throw new Error(evaluatePolicy.message + evaluatePolicy.evaluation.id);
    case 'InvalidInputError':
      throw new Error(evaluatePolicy.issues.map(({ path, message }) => path.join('.') + message).join());
    case 'NotFoundError':
    case 'ConflictError':
    case 'TooManyPendingError':
    case 'RateLimitedError':
    case 'ForbiddenError':
      throw new Error(evaluatePolicy.message);
  }
}

export function title({ elicitationRequested }: ResultOf<typeof InboxDocument>): string {
  const { session, digest } = elicitationRequested;
  return (session.title ?? session.agent.name) + digest.slice(0, 8);
}

export const status = ({ node }: ResultOf<typeof NodeDocument>): string | null => (node?.__typename === 'Elicitation' ? node.status : null);
`;

/** Below the repository, so that the generated code finds its packages. */
let folder: string;

beforeAll(async () => {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(path.join(root, '.cache/codegen-'));
  await generate(
    {
      cwd: root,
      schema: 'schema.graphql',
      documents: 'test/graphql/codegen/operations.graphql',
      generates: { [`${folder}/`]: { preset, presetConfig: { fragmentMasking: false }, config: { useTypeImports: true } } },
      silent: true,
    },
    true,
  );
  await writeFile(path.join(folder, 'client.ts'), client);
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('graphql-codegen', () => {
  it("makes a client's types of schema.graphql, which type-check with strict settings in a program that uses them", async () => {
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2024', '--skipLibCheck'];
    const checked = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', ...options, path.join(folder, 'client.ts')], { cwd: root });
    expect(await checked.catch((error: unknown) => error)).toEqual({ stdout: '', stderr: '' });
  }, 60_000);

  it('knows each document', async () => {
    const generated = await readFile(path.join(folder, 'graphql.ts'), 'utf8');
    for (const name of ['StartSession', 'AttachPolicy', 'Evaluate', 'Resolve', 'Inbox', 'Sessions', 'Node']) expect(generated).toContain(`export const ${name}Document`);
  });
});
