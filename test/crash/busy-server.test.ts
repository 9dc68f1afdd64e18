import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { prepareProgram, type Program } from './program.ts';

const callers = 1000;

let program: Program | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await program?.remove();
});

it('a server that has no time takes the connections of a thousand callers, and answers each when it has', async () => {
  program = await prepareProgram('sqlite:busy.db');
  await program.start();
  program.signal('SIGSTOP');
  const port = Number(new URL(program.origin).port);
  sockets.push(...Array.from({ length: callers }, () => connect(port, '127.0.0.1')));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));

  const answers = sockets.map((socket) => text(socket));
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
  program.signal('SIGCONT');
  const statuses = (await Promise.all(answers)).map((answer) => answer.split('\r\n')[0]);

  expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200 OK']));
}, 60_000);
