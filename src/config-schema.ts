import { z } from 'zod';

const secondsMax = 2_000_000; // setTimeout's longest delay, rounded down

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, 'must be an origin, e.g. https://console.example.com');

const modelName = z.string().min(1, 'must name a model');

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const modelUrl = httpUrl
  .refine((text) => URL.canParse(text) && Object.values(partsBesidePath(new URL(text))).every((part) => part === ''), 'must have no user, password, query or fragment: give the key as apiKey')
  .transform((url) => url.replace(/\/+$/, ''));

const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs of ASCII, without blanks');

const fallback = z.strictObject({ model: modelName, baseUrl: modelUrl.nullable().default(null), apiKey: apiKey.nullable().default(null) });

const llm = z.strictObject({
  baseUrl: modelUrl.describe('Where an OpenAI-compatible API is, e.g. https://api.openai.com/v1: `/chat/completions` is below it.'),
  model: modelName.describe('The model, as the endpoint names it.'),
  apiKey: apiKey.nullable().default(null).describe('Sent as the bearer token; never shown and never logged. Null: none is sent.'),
  timeoutSeconds: z.number().positive().max(600).default(15).describe('How long one endpoint may take for one question, its retry included.'),
  fallbacks: z
    .array(z.union([modelName, fallback], { error: 'must be the name of a model, or an object { model, baseUrl, apiKey }' }))
    .default([])
    .describe('Asked in this order when no answer comes: names of other models, or objects `{ model, baseUrl, apiKey }`. A fallback with a `baseUrl` of its own gets its own key or none.'),
});

const secretShape = z.enum([
  'private_key',
  'jwt',
  'bearer',
  'url_password',
  'aws_access_key',
  'google_api_key',
  'github_token',
  'gitlab_token',
  'slack_token',
  'anthropic_key',
  'openai_key',
  'stripe_key',
  'npm_token',
  'countersign_key',
  'password_assignment',
]);

const secretName = z.string().regex(/[\p{L}\p{N}]{2}/u, 'must be a name, e.g. license_key').max(64, 'must have at most 64 characters');

const role = z.enum(['AGENT', 'APPROVER', 'ADMIN', 'VIEWER']);

const grant = z.union(
  [
    role,
    z.strictObject({
      role,
      agents: z.array(z.string().min(1)).min(1, 'must name at least one agent; leave it out to reach all').optional(),
      ownSessionsOnly: z.boolean().optional(),
    }),
  ],
  { error: 'must be AGENT, APPROVER, ADMIN or VIEWER, or an object { role, agents, ownSessionsOnly }' },
);

const oidc = z.strictObject({
  issuer: z.string().min(1, 'must be the issuer, as its tokens name it').describe('Whose tokens count, as their `iss` names it.'),
  audience: z.string().min(1, 'must be the audience of the tokens').describe('Whom the tokens must be for: their `aud`.'),
  jwksUrl: httpUrl.describe("Where the issuer's public keys are (JSON Web Key Set)."),
  algorithms: z.array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])).min(1).default(['RS256', 'ES256', 'EdDSA']).describe('How tokens may be signed.'),
  clockToleranceSeconds: z.number().min(0).max(600).default(30).describe("How far the issuer's clock may be off."),
  userClaim: z.string().min(1).default('sub').describe('The claim that has the id of the user.'),
  nameClaim: z.string().min(1).default('name').describe('The claim that has a name for people.'),
  rolesClaim: z.string().min(1).default('roles').describe('The claim that has roles or groups: a text or a list of texts.'),
  roles: z
    .record(z.string(), grant)
    .describe(
      'Which value of that claim gives which role, e.g. `{ "countersign-approvers": "APPROVER" }`, or a role with a reach, as keys have one: `{ "role": "APPROVER", "agents": ["build-*"], "ownSessionsOnly": true }`. A token without a role is refused.',
    ),
});

/** Every key, its default and its bounds. The descriptions are the reference documentation. */
export const schema = z.strictObject({
  host: z
    .string()
    .min(1, 'must be an address')
    .default('127.0.0.1')
    .describe('Address to listen on. Any but a loopback address only once there are keys: see `countersign keys create`.'),
  port: z.number().int().min(0).max(65_535).default(4000).describe('Port to listen on; 0: any free one.'),
  database: z
    .string()
    .regex(/^(sqlite:|postgres(ql)?:\/\/)./, 'must be sqlite:<file>, e.g. sqlite:countersign.db, or postgres://<user>:<password>@<host>:<port>/<database>')
    .refine((text) => text.startsWith('sqlite:') || URL.canParse(text), 'must be a URL: write the special characters of user and password percent-encoded, e.g. %40 for @')
    .refine((text) => !URL.canParse(text) || !new URL(text).searchParams.has('password'), 'must have the password before the @, where it is never shown, or in PGPASSWORD')
    .default('sqlite:countersign.db')
    .describe('Where everything is stored: `sqlite:<file>`, relative to the working directory; `sqlite::memory:`, which is gone when the server stops; or `postgres://<user>:<password>@<host>:<port>/<database>`, PostgreSQL 14 or later, which several servers may share. The password is never shown and never logged.'),
  databasePoolMax: z.number().int().positive().max(1000).default(10).describe('How many connections one server has to PostgreSQL at most.'),
  redisUrl: z
    .url({ protocol: /^rediss?$/, error: 'must be redis://<user>:<password>@<host>:<port>/<number>, or rediss:// for TLS' })
    .nullable()
    .default(null)
    .describe('The Redis over which several servers tell each other what happens; installations on one Redis take different numbers. The password is never shown and never logged. Null: PostgreSQL does it.'),
  publicUrl: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Where people reach the server; elicitation pages are below it. Null: host and port.'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe log line that is written. `debug` has a line for each request.'),
  graphiql: z.boolean().default(true).describe('Serve GraphiQL to browsers at /graphql.'),
  introspection: z.boolean().default(true).describe('Answer introspection queries.'),
  allowedOrigins: z.array(origin).default([]).describe('Origins of other web sites whose pages may call the server from a browser.'),
  graceSeconds: z.number().min(0).max(secondsMax).default(60).describe('How long an ask outlives its last holding caller.'),
  leaseSeconds: z.number().min(1).max(3600).default(15).describe('How long a server may be silent in the database before the others count what it held as left.'),
  allowSelfApproval: z.boolean().default(false).describe('Whether people may accept what they, or agents of theirs, ask for. For installations of one person.'),
  rereadSeconds: z.number().positive().max(secondsMax).default(30).describe('How often a held call reads its row though nothing woke it.'),
  waitingMax: z.number().int().positive().default(20_000).describe('How many calls may be held at once; beyond, an ask is refused.'),
  retentionDays: z.number().positive().max(36_500).nullable().default(null).describe('How many days evaluations, elicitations, what happened in sessions, and ended sessions are kept after their end. What waits, and the audit log, are always kept. Null: everything is.'),
  shutdownSeconds: z.number().min(0).max(secondsMax).default(10).describe('How long a shutdown waits for answers to reach their callers before it cuts them off.'),
  secretKey: z
    .string()
    .regex(/^[\x21-\x7e]{32,1024}$/, 'must be 32 to 1,024 letters, digits and signs of ASCII, without blanks')
    .nullable()
    .default(null)
    .describe('What digests are keyed with and the ends of the audit log are signed with; never shown. Null: it is in the file `<database>.key`, which the first start makes. On PostgreSQL it must be given, the same to all servers.'),
  auditCheckpoints: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The file to which the checkpoints of the audit log are appended; keep it, or copies of it, where whoever writes to the database cannot write. Null: `<database file>.checkpoints`; on PostgreSQL none are kept then, and the log says so.'),
  policyModules: z
    .array(z.string().min(1))
    .default([])
    .describe('Modules that export policy handlers: files, relative to the configuration file, or packages. One that cannot be loaded stops the start.'),
  serverPolicies: z
    .array(z.record(z.string(), z.unknown(), 'must be an object, as createPolicy takes it, without target'))
    .default([])
    .describe('Policies on the server, each as `createPolicy` takes it, without `target`. Only here can they be changed; one that cannot run stops the start.'),
  labelDefinitions: z
    .array(z.record(z.string(), z.unknown(), 'must be an object { key, initial, values }'))
    .default([])
    .describe("Labels that every session knows, each `{ key, initial, values }` as `createAgent` takes it. Where an agent defines the same key, the server's initial value counts, and policies may write only what both allow."),
  maskArguments: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether secrets are hidden before anything is stored, logged or shown. The agent gets its own back in full.'),
      keys: z.array(secretName).max(100).default([]).describe('Names of secrets beside the usual ones (password, token, api_key …): of every key that ends so, what is under it is hidden. Case, `_` and `-` make no difference.'),
      exceptKeys: z.array(secretName).max(100).default([]).describe('Names, or ends of names, that only look like those of secrets.'),
      shapes: z.array(secretShape).default(secretShape.options).describe('Kinds of secrets that are hidden wherever they stand in a text.'),
    })
    .prefault({})
    .describe('Which secrets nobody but the agent gets to see.'),
  oidc: oidc.nullable().default(null).describe('An OpenID Connect issuer whose tokens are taken beside keys. Null: none.'),
  llm: llm.nullable().default(null).describe('The language model that judging policies ask. Null: none.'),
  tracesUrl: httpUrl.nullable().default(null).describe('Where a span of each evaluation is sent, over OTLP/HTTP, e.g. `http://127.0.0.1:4318/v1/traces`. Null: nowhere.'),
  keepAlive: z
    .strictObject({
      headersAfterSeconds: z.number().positive().max(secondsMax).default(10).describe('A call that is not answered by then gets status and headers.'),
      blankEverySeconds: z.number().positive().max(secondsMax).default(15).describe('From then on it gets one blank this often, until its answer. Below any idle limit on the way.'),
      pingEverySeconds: z.number().positive().max(secondsMax).default(12).describe('How often a WebSocket is pinged; one that does not answer by the next ping is cut.'),
    })
    .prefault({})
    .describe('How held calls and open connections stay alive.'),
  trustedDocuments: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Take no documents but those of our own clients and of `trustedDocuments.file`.'),
      file: z.string().min(1).nullable().default(null).describe('A JSON file of more documents, `{ "<SHA-256>": "<text>" }`, relative to the configuration file. Null: none.'),
    })
    .prefault({})
    .describe('Which GraphQL documents are taken.'),
  limits: z
    .strictObject({
      bodyBytes: z.number().int().positive().default(10_485_760).describe('Size of a request body, and of a WebSocket message.'),
      documentDepth: z.number().int().positive().default(16).describe('How deep the fields of a GraphQL document nest.'),
      documentTokens: z.number().int().positive().default(4000).describe('How many words and signs a GraphQL document has.'),
      documentAliases: z.number().int().min(0).default(100).describe('How many aliases an operation has, fragments included.'),
      documentComplexity: z.number().int().positive().default(50_000).describe('How many fields an operation may answer: a list of pages counts by `first`, any other list ten times.'),
      callsPerMinute: z.number().int().positive().default(600_000).describe('How many queries, subscriptions and mutations one credential begins in a minute, decisions not included.'),
      decisionsPerMinute: z.number().int().positive().default(60_000).describe('How many decisions one credential makes in a minute: resolutions and withdrawals.'),
      failedLoginsPerAddress: z.number().int().positive().default(100).describe('How many wrong credentials may come from one address within the window; then none from there is looked at until it ends.'),
      failedLoginsWindowSeconds: z.number().int().positive().max(86_400).default(300).describe('That window, from the first wrong credential on.'),
      subscriptionsPerConnection: z.number().int().positive().default(100).describe('How many subscriptions one WebSocket has at once.'),
      subscriptionsPerCredential: z.number().int().positive().default(5000).describe('How many subscriptions one credential has at once, over all of its connections.'),
      callsPerConnection: z.number().int().positive().default(10_000).describe('How many queries and mutations are under way on one WebSocket at once.'),
      pendingPerPrincipal: z.number().int().positive().default(10_000).describe('How many evaluations of one owner, over all of his credentials, wait for a decision at once.'),
      pendingTotal: z.number().int().positive().default(50_000).describe('How many evaluations wait for a decision at once.'),
      connections: z.number().int().positive().default(25_000).describe('How many connections the server has at once; beyond, new ones are closed.'),
    })
    .prefault({})
    .describe('Beyond a limit a call is refused, with an error that names it.'),
});


function partsBesidePath({ username, password, search, hash }: URL): Record<string, string> {
  return { username, password, search, hash };
}
