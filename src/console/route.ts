/** What a path of the console names. */
export type Route =
  | { readonly page: 'inbox' | 'sessions' | 'policies' | 'audit' | 'overview' }
  | { readonly page: 'elicitation' | 'session' | 'policy'; readonly id: string }
  | { readonly page: 'unknown' };

const single: Readonly<Record<string, 'elicitation' | 'session' | 'policy'>> = { elicitations: 'elicitation', sessions: 'session', policies: 'policy' };
const lists = ['sessions', 'policies', 'audit', 'overview'] as const;

/** Reads `location.pathname`. */
export function routeOf(pathname: string): Route {
  const [first = '', id, ...rest] = pathname.split('/').slice(1);
  if (rest.length > 0) return { page: 'unknown' };
  if (id !== undefined && id !== '') {
    const page = single[first];
    return page === undefined ? { page: 'unknown' } : { page, id };
  }
  if (first === '') return { page: 'inbox' };
  const page = lists.find((name) => name === first);
  return page === undefined ? { page: 'unknown' } : { page };
}

/** Whether a click on a link is for this page to follow; others are the browser's: a new tab, another site. */
export function linkFollowed(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
  if (!link || link.target !== '' || link.origin !== location.origin || routeOf(link.pathname).page === 'unknown') return null;
  return link.pathname + link.search;
}
