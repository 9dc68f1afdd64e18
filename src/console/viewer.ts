import { createClient, type Client } from '../sdk/index.ts';

/** Who looks, and what they may do. */
export interface Viewer {
  readonly name: string;
  readonly roles: readonly string[];
  readonly isLocalUser: boolean;
  /** Policies, and the audit log. The server has the last word. */
  readonly mayManage: boolean;
}

/** How long a call waits for a server that is away before it says so: a person looks at it. */
const patienceSeconds = 15;

/** A client of the server that the page came from. The key, if any, goes into a header, never into an address. */
export function clientFor(key: string | null): Client {
  return createClient({ url: `${location.origin}/graphql`, patienceSeconds, ...(key === null ? {} : { token: key }) });
}

/** Asks the server who the key is. Rejects as the client does. */
export async function readViewer(client: Client): Promise<Viewer> {
  const [viewer, roles] = await Promise.all([client.viewer(), client.viewerRoles()]);
  return { name: viewer.name, roles, isLocalUser: viewer.id === 'local', mayManage: roles.includes('ADMIN') };
}

const keyName = 'countersign.key';

/** Kept for this tab alone, and gone with it: see docs/adr/0026. */
export const keptKey = {
  read: (): string | null => sessionStorage.getItem(keyName),
  write: (key: string): void => sessionStorage.setItem(keyName, key),
  remove: (): void => sessionStorage.removeItem(keyName),
};
