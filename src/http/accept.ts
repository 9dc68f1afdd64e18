export interface Acceptable {
  /** In which form Yoga sends a result; null: in none that the caller takes. */
  readonly result: MediaType | null;
  /** Whether the caller takes a stream of results, as a subscription is. */
  readonly stream: boolean;
}

export type MediaType = 'application/graphql-response+json' | 'application/json' | 'text/event-stream' | 'multipart/mixed';

/** What Yoga makes of an `Accept` header: JSON before streams, in the caller's order, weights ignored. A missing one accepts all. */
export function acceptable(header: string | undefined): Acceptable {
  const asked = rangesIn(header ?? '*/*');
  const json = asked.flatMap((range) => jsonTypes.filter((type) => matches(range, type)))[0];
  const stream = streamTypes.find((type) => asked.some((range) => matches(range, type)));
  return { result: json ?? stream ?? null, stream: asked.some((range) => matches(range, 'text/event-stream')) };
}

const jsonTypes = ['application/json', 'application/graphql-response+json'] as const;
const streamTypes = ['multipart/mixed', 'text/event-stream'] as const;

/** Those of another charset than UTF-8 left out. */
function rangesIn(header: string): string[] {
  return header
    .replace(/\s/g, '')
    .toLowerCase()
    .split(',')
    .flatMap((entry) => {
      const [range = '', ...parameters] = entry.split(';');
      const charset = parameters.find((parameter) => parameter.startsWith('charset='));
      return charset === undefined || charset === 'charset=utf-8' ? [range] : [];
    });
}

function matches(range: string, type: MediaType): boolean {
  return range === type || range === '*/*' || range === `${type.slice(0, type.indexOf('/'))}/*`;
}
