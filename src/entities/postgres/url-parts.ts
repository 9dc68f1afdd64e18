export interface UrlParts {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
}

/** What of `postgres://user:password@host:port/database` may be shown, with the defaults of PostgreSQL's own clients. */
export function partsOf(url: string): UrlParts {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    host: searchParams.get('host') ?? (hostname || 'localhost'),
    port: searchParams.get('port') ?? (port || '5432'),
    database: decodeURIComponent(pathname.slice(1)) || user,
    user,
  };
}

export function shown(url: string): string {
  const { host, port, database } = partsOf(url);
  return `postgres://${host}:${port}/${database}`;
}
