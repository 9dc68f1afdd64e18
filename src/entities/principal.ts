export const principalKinds = ['USER', 'AGENT_KEY', 'SYSTEM'] as const;

export type PrincipalKind = (typeof principalKinds)[number];

/** Who calls or called. Always taken from the credential, never from the input. Stored by value: a record keeps the name of its day. */
export interface Principal {
  readonly kind: PrincipalKind;
  readonly id: string;
  readonly name: string;
}

/** The one user of an installation without credentials; bound to loopback. May approve what it evaluates. */
export const localUser: Principal = { kind: 'USER', id: 'local', name: 'Local user' };

/** Countersign itself: what closes an elicitation that no person closed. */
export const system: Principal = { kind: 'SYSTEM', id: 'system', name: 'Countersign' };

/** The server's configuration file, as the author of the policies in it. */
export const configuration: Principal = { kind: 'SYSTEM', id: 'configuration', name: 'Configuration' };

/** Ids that no user can have: who could take one would count as somebody else. */
export const reservedUserIds: readonly string[] = [localUser.id, system.id, configuration.id];
