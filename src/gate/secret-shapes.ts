/** The kinds of secret that are known by how they look, wherever they stand. */
export const secretShapes = [
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
] as const;

export type SecretShape = (typeof secretShapes)[number];

/** The first group stays, the second is the secret. What follows is looked at only, never matched. */
export type SecretPattern = RegExp;

export interface ShapeRule {
  /** Without it, in whatever case, no pattern matches: what most texts are asked only. */
  readonly hint: string;
  readonly patterns: readonly SecretPattern[];
}

/** Each pattern takes time linear in the text: what repeats is bounded, or never gives a character back that the next part could take. */
export const shapeRules: Readonly<Record<Exclude<SecretShape, 'password_assignment'>, ShapeRule>> = {
  private_key: { hint: 'PRIVATE KEY', patterns: [/(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)([^]+?)(?=-----END |$)/g] },
  jwt: { hint: 'eyJ', patterns: [/(\b)(eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*)/g] },
  bearer: { hint: 'bearer\\s', patterns: [/(\bbearer\s{1,4})((?=[\w.~+/=-]{0,256}\d|[\w.~+/=-]{20})[\w.~+/=-]{8,})/gi] },
  url_password: { hint: '://', patterns: [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/@:"'<>]{0,256}:)([^\s/"'<>]{1,1024})(?=@)/gi] },
  aws_access_key: { hint: 'A[KSBC][IC]A', patterns: [/(\b(?:AKIA|ASIA|ABIA|ACCA))([0-9A-Z]{16})\b/g] },
  google_api_key: { hint: 'AIza|ya29|GOCSPX', patterns: [/(\bAIza)([\w-]{30,})/g, /(\bya29\.)([\w-]{20,})/g, /(\bGOCSPX-)([\w-]{20,})/g] },
  github_token: { hint: 'gh[pousr]_|github_pat', patterns: [/(\bgh[pousr]_)([A-Za-z0-9]{20,})/g, /(\bgithub_pat_)(\w{20,})/g] },
  gitlab_token: { hint: 'gl[a-z]{2,5}-', patterns: [/(\bgl(?:pat|ptt|dt|rt|ft|soat|agent)-)([\w-]{16,})/g] },
  slack_token: { hint: 'xox|xapp-|hooks\\.slack', patterns: [/(\bxox[a-z]-)([\w-]{8,})/g, /(\bxapp-)([\w-]{8,})/g, /(\bhooks\.slack\.com\/services\/)([\w/]{10,})/g] },
  anthropic_key: { hint: 'sk-ant', patterns: [/(\bsk-ant-)([\w-]{16,})/g] },
  openai_key: { hint: 'sk-', patterns: [/(\bsk-(?:proj-|svcacct-|admin-)?)((?=[\w-]{0,256}\d|[\w-]{32})[\w-]{16,})/g] },
  stripe_key: { hint: '[srp]k_|whsec', patterns: [/(\b[srp]k_(?:live|test)_)(\w{16,})/g, /(\bwhsec_)([\w+/=]{16,})/g] },
  npm_token: { hint: 'npm_', patterns: [/(\bnpm_)([A-Za-z0-9]{30,})/g] },
  countersign_key: { hint: 'csk_', patterns: [/(\bcsk_)([\w-]{20,})/g] },
};
