import type { Word } from '../../shell/command-line.ts';
import { hasOption, optionTable, readOptions, valuesOf, type OptionTable, type ReadOptions } from './options.ts';

/** What a command line asks a program to send over HTTP. */
export interface HttpRequests {
  readonly urls: readonly Word[];
  /** In upper case; null: it cannot be known. */
  readonly method: string | null;
  /** The body, as far as it is on the line; null: elsewhere, or none. */
  readonly body: Word | null;
  /** Words that send the request to another host than its URL says. */
  readonly detours: readonly Word[];
}

/** Reads the words of an HTTP client; null for other programs, and where it only shows its help. */
export function readHttpRequests(program: string, words: readonly Word[]): HttpRequests | null {
  switch (clients.get(program)) {
    case 'curl':
      return readCurl(readOptions(words, curlOptions));
    case 'wget':
      return readWget(readOptions(words, wgetOptions));
    case 'httpie':
      return readHttpie(readOptions(words, httpieOptions));
    case 'powershell':
      return readPowershell(words);
    case undefined:
      return null;
  }
}

/** The programs that are read. */
export const httpClients = ['curl', 'wget', 'http', 'https', 'xh', 'xhs'] as const;

const clients: ReadonlyMap<string, 'curl' | 'wget' | 'httpie' | 'powershell'> = new Map([
  ['curl', 'curl'],
  ['curlie', 'curl'],
  ['wget', 'wget'],
  ['wget2', 'wget'],
  ['http', 'httpie'],
  ['https', 'httpie'],
  ['xh', 'httpie'],
  ['xhs', 'httpie'],
  ['irm', 'powershell'],
  ['iwr', 'powershell'],
  ['invoke-restmethod', 'powershell'],
  ['invoke-webrequest', 'powershell'],
]);

function readCurl(read: ReadOptions): HttpRequests {
  const bodies = valuesOf(read, ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode', '--json']);
  const sendsForm = hasOption(read, ['-F', '--form', '--form-string']);
  const method = hasOption(read, ['-I', '--head'])
    ? 'HEAD'
    : hasOption(read, ['-T', '--upload-file'])
      ? 'PUT'
      : (bodies.length > 0 || sendsForm) && !hasOption(read, ['-G', '--get'])
        ? 'POST'
        : 'GET';
  return {
    urls: [...valuesOf(read, ['--url']), ...read.operands],
    method: methodOf(valuesOf(read, ['-X', '--request']).at(-1), method),
    body: bodies.at(-1) ?? null,
    detours: [...valuesOf(read, ['--connect-to', '--resolve']), ...valuesOf(read, ['-H', '--header']).filter(({ text }) => /^host:/i.test(text))],
  };
}

function readWget(read: ReadOptions): HttpRequests {
  const body = valuesOf(read, ['--post-data', '--body-data']).at(-1) ?? null;
  const posts = hasOption(read, ['--post-data', '--post-file']);
  return { urls: read.operands, method: methodOf(valuesOf(read, ['--method']).at(-1), posts ? 'POST' : 'GET'), body, detours: [] };
}

/** `http [METHOD] URL [ITEM…]`: an item with `=`, `:=` or `@` is part of a body; `:` is a header, `==` a query. */
function readHttpie(read: ReadOptions): HttpRequests {
  const [first, ...rest] = read.operands;
  const isMethod = first !== undefined && /^[a-z]+$/i.test(first.text) && rest.length > 0;
  const [url, ...items] = isMethod ? rest : read.operands;
  const raw = valuesOf(read, ['--raw']).at(-1) ?? null;
  const sends = raw !== null || items.some(({ text, certain }) => !certain || /^(?:[^:=@]*(?:=(?!=)|:=|@))/.test(text));
  return { urls: url ? [url] : [], method: methodOf(isMethod ? first : undefined, sends ? 'POST' : 'GET'), body: raw, detours: [] };
}

function readPowershell(words: readonly Word[]): HttpRequests {
  const valueOf = (pattern: RegExp): Word | undefined => words[words.findIndex(({ text }) => pattern.test(text)) + 1];
  const has = (pattern: RegExp): boolean => words.some(({ text }) => pattern.test(text));
  const method = has(/^-m(?:e|et|eth|etho|ethod)$/i) ? valueOf(/^-me/i) : undefined;
  return { urls: words.filter(({ text }) => !text.startsWith('-')), method: methodOf(method, has(/^-(?:body|infile|form)$/i) ? 'POST' : 'GET'), body: null, detours: [] };
}

function methodOf(given: Word | undefined, otherwise: string): string | null {
  if (!given) return otherwise;
  return given.certain ? given.text.toUpperCase() : null;
}

const curlOptions: OptionTable = {
  ...optionTable(
    'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    'request data data-raw data-binary data-ascii data-urlencode json form form-string url url-query upload-file header user-agent referer ' +
      'cookie cookie-jar user output output-dir write-out config connect-to resolve proxy proxy-user cacert capath cert cert-type key key-type ' +
      'max-time connect-timeout retry retry-delay retry-max-time limit-rate range interface unix-socket abstract-unix-socket netrc-file ' +
      'oauth2-bearer dump-header max-redirs max-filesize speed-limit speed-time time-cond trace trace-ascii stderr noproxy preproxy socks5 ' +
      'socks5-hostname socks4 dns-servers doh-url ciphers tls-max engine proto proto-redir proto-default variable expand-url aws-sigv4 etag-save etag-compare',
    'head get location location-trusted silent show-error fail fail-with-body insecure include verbose compressed netrc netrc-optional ' +
      'remote-name remote-header-name remote-time progress-bar create-dirs globoff http1.0 http1.1 http2 http3 ipv4 ipv6 no-buffer parallel ' +
      'next tlsv1.2 tlsv1.3 ssl ssl-reqd anyauth basic digest negotiate ntlm tcp-nodelay raw remove-on-error no-progress-meter help version',
  ),
  abbreviates: true,
};

const wgetOptions: OptionTable = {
  ...optionTable(
    'OoaiBtTwQUPADIXeRl',
    'method body-data body-file post-data post-file header output-document output-file input-file user password user-agent referer tries ' +
      'timeout wait directory-prefix load-cookies save-cookies ca-certificate certificate private-key config execute base',
    'quiet verbose no-verbose server-response spider continue no-check-certificate no-clobber timestamping recursive content-on-error show-progress',
  ),
  abbreviates: true,
};

const httpieOptions: OptionTable = {
  ...optionTable(
    'apAosm',
    'auth auth-type bearer raw output print session session-read-only style proxy verify timeout cert cert-key format-options max-redirects ' +
      'response-charset response-mime boundary default-scheme history-print pretty',
    'json form multipart pretty verbose headers body meta download continue follow check-status ignore-stdin offline quiet all chunked compress help version',
  ),
  abbreviates: true,
};
