import type { Explanation } from '../backend.ts';

/** What an error of PostgreSQL, or of the way to it, means for whoever runs the server. */
export function explain(error: unknown): Explanation {
  const { code: given, message = String(error) } = error as { code?: unknown; message?: string };
  const code = typeof given === 'string' ? given : '';
  const known = byCode[code];
  if (known) return known;
  if (/timeout|not answered/i.test(message)) return ['does not answer', 'look whether it runs and is reachable from here, and is not overloaded'];
  if (/client password must be/.test(message)) return ['wants a password', 'give it in the URL, postgres://<user>:<password>@<host>/<database>, or as PGPASSWORD'];
  if (/does not support SSL/.test(message)) return ['speaks no TLS', 'leave sslmode out of the URL, or turn ssl on at the server'];
  if (/certificate|self.signed/i.test(message)) return [`has a certificate that is not trusted (${firstLine(message)})`, 'give its authority with sslrootcert=<file> in the URL'];
  return ['cannot be used', firstLine(message)];
}

const unreachable: Explanation = ['cannot be reached', 'look whether it runs there, and whether host and port are right'];

const byCode: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: unreachable,
  ENOTFOUND: ['cannot be reached', 'there is no host of this name'],
  EAI_AGAIN: ['cannot be reached', 'the name of the host cannot be looked up now'],
  '28P01': ['refuses the password', 'correct user and password in the URL'],
  '28000': ['refuses the user', 'correct the user in the URL, or let him in with pg_hba.conf'],
  '3D000': ['is not there', 'make it with createdb, or correct its name in the URL'],
  '42501': ['does not permit it', 'make the user owner of the database, or grant create and usage on its schema to him'],
  '25006': ['is read-only', 'give the URL of the primary server'],
  '53300': ['has no connection left', 'raise its max_connections, or lower databasePoolMax of the servers'],
  '53100': ['cannot grow', 'the disk is full'],
  '57P03': ['is starting or stopping', 'try again in a moment'],
  '55P03': ['is being brought up to date by another server for minutes now', 'look at that one, and start again'],
};

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
