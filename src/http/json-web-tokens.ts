import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../gate/credentials.ts';
import { grantedBy, type Grant } from './token-grants.ts';

export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's public keys are. */
  readonly jwksUrl: string;
  /** Pinned: a token that is signed otherwise is none, whatever it says of itself. */
  readonly algorithms: readonly string[];
  readonly clockToleranceSeconds: number;
  readonly userClaim: string;
  readonly nameClaim: string;
  /** A text or a list of texts, such as groups. */
  readonly rolesClaim: string;
  /** Value of that claim → role, and reach. */
  readonly roles: Readonly<Record<string, Grant>>;
}

export interface TokenParts {
  readonly settings: TokenSettings;
  readonly now: () => Date;
  readonly allowSelfApproval: boolean;
  /** Ids that no user can have. */
  readonly reservedUserIds: readonly string[];
  readonly log: { warn(fields: object, message: string): void };
}

export interface JsonWebTokens {
  /** Who shows this token; null: nobody whom we let in. */
  find(token: string): Promise<Identity | null>;
  close(): void;
}

const tokensMax = 100_000;
const lookEveryMilliseconds = 1000;
const userIdCharsMax = 256;

/** What keys are fetched for: one that is not known yet, so that a rotation is seen; not more often than this, so that nobody can make us. */
const cooldownMilliseconds = 1000;
const fetchMilliseconds = 5000;

interface Known extends Identity {
  readonly expiresAt: number;
  readonly ending: AbortController;
}

/** Tokens of an OpenID Connect issuer (RFC 7519, RFC 9068), verified once and kept until they expire. What is watched with one ends with it. */
export function openJsonWebTokens({ settings, now, allowSelfApproval, reservedUserIds, log }: TokenParts): JsonWebTokens {
  const { issuer, audience, clockToleranceSeconds: clockTolerance } = settings;
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), { cooldownDuration: cooldownMilliseconds, timeoutDuration: fetchMilliseconds });
  const known = new LRUCache<string, Known>({ max: tokensMax, dispose: ({ ending }) => ending.abort() });
  const isOver = ({ expiresAt }: Known) => expiresAt + clockTolerance * 1000 <= now().getTime();
  const timer = setInterval(() => {
    for (const [hash, entry] of known) if (isOver(entry)) known.delete(hash);
  }, lookEveryMilliseconds);

  async function verify(token: string): Promise<JWTPayload | null> {
    try {
      const options = { issuer, audience, algorithms: [...settings.algorithms], clockTolerance, requiredClaims: ['exp'], currentDate: now() };
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      // The issuer's keys that cannot be fetched are the operator's business; a bad token is its sender's.
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === null || code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JOSE_GENERIC') log.warn({ err: error, jwksUrl: settings.jwksUrl }, 'a token could not be verified, so its caller is not let in');
      return null;
    }
  }

  return {
    async find(token) {
      const hash = createHash('sha256').update(token).digest('hex');
      const cached = known.get(hash);
      if (cached) return isOver(cached) ? null : cached;
      const payload = await verify(token);
      const found = payload && toKnown(payload, { settings, allowSelfApproval, reservedUserIds });
      if (!found) return null;
      const first = known.get(hash) ?? found; // another call may have been faster
      known.set(hash, first);
      return first;
    },
    close: () => clearInterval(timer),
  };
}

/** Null: it has no user, or no role. */
function toKnown(payload: JWTPayload, { settings, allowSelfApproval, reservedUserIds }: Pick<TokenParts, 'settings' | 'allowSelfApproval' | 'reservedUserIds'>): Known | null {
  const id = payload[settings.userClaim];
  if (typeof id !== 'string' || id.trim() !== id || id === '' || id.length > userIdCharsMax || !isStorable(id) || reservedUserIds.includes(id)) return null;
  const granted = grantedBy(payload[settings.rolesClaim], settings.roles);
  if (!granted) return null;
  const owner = { kind: 'USER', id, name: nameOf(payload[settings.nameClaim]) ?? id } as const;
  const isAgent = granted.roles.every((role) => role === 'AGENT');
  const ending = new AbortController();
  return {
    credential: `oidc ${id}`, // a user has a new token every few minutes
    principal: isAgent ? { ...owner, kind: 'AGENT_KEY' } : owner,
    access: { ...granted, owner, acceptsOwn: allowSelfApproval, ended: ending.signal },
    expiresAt: (payload.exp ?? 0) * 1000,
    ending,
  };
}

/** Null: the issuer gives none that a database keeps as it is. */
function nameOf(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.trim() === '' || !isStorable(claim)) return null;
  return claim.trim().slice(0, userIdCharsMax).toWellFormed(); // the cut may part a pair
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
