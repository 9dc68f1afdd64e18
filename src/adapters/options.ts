import type { Client, NewSession, PermissionOptions } from '../sdk/index.ts';

export interface AdapterOptions extends PermissionOptions {
  readonly client: Client;
  /** The session of the run: its id, or one that is created at the first call. */
  readonly session: string | NewSession;
}
