import { RequestError } from '../sdk/errors.ts';
import { ViewerDocument, ViewerRolesDocument } from '../sdk/generated.ts';
import { findConnection } from './connection.ts';
import type { Environment } from './environment.ts';
import { openServer } from './server.ts';

export interface ServerExamination {
  /** Null: it is not known which server. */
  readonly url: string | null;
  /** Who we are there; null: nobody. */
  readonly caller: string | null;
  /** What is wrong, and what to do; null: nothing. */
  readonly problem: string | null;
}

const withinMilliseconds = 10_000;

/** Whether hooks can ask: the server that they would ask answers, and lets them. */
export async function examineServer(surroundings: Environment): Promise<ServerExamination> {
  let url: string | null = null;
  try {
    const connection = findConnection(surroundings);
    url = connection.url.href;
    const server = openServer(connection);
    const signal = AbortSignal.timeout(withinMilliseconds);
    const { name } = await server.call(ViewerDocument, {}, signal);
    const roles = await server.call(ViewerRolesDocument, {}, signal);
    const mayAsk = roles.some((role) => role === 'AGENT' || role === 'ADMIN');
    return { url, caller: name, problem: mayAsk ? null : 'this credential may not evaluate: make one with `countersign keys create --role agent`' };
  } catch (error) {
    if (error instanceof RequestError && ['UNAUTHENTICATED', 'HTTP_401', 'HTTP_403'].includes(error.code)) return { url, caller: null, problem: 'the server refuses the credential: set COUNTERSIGN_TOKEN, or token in config.json, to a key of `countersign keys create --role agent`' };
    return { url, caller: null, problem: error instanceof Error && error.name !== 'TimeoutError' ? error.message : `it did not answer within ${withinMilliseconds / 1000} s` };
  }
}
