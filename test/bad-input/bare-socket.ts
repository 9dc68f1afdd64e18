import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';

/** A WebSocket without a client: bytes go out as they are given. */
export interface BareSocket {
  /** The answer to the upgrade, headers and all. */
  readonly answer: string;
  /** Sends a masked frame. `opcode`: 1 text, 2 binary, 8 close, 9 ping, 10 pong. */
  frame(opcode: number, payload: string | Buffer, options?: { readonly isFinal?: boolean; readonly isMasked?: boolean }): void;
  write(bytes: Buffer | string): void;
  /** The texts that the server has sent. */
  readonly texts: readonly string[];
  /** The code of the server's close frame; null: it closed without one. */
  readonly closed: Promise<number | null>;
  destroy(): void;
}

interface Handshake {
  readonly protocol?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resolves when the server has answered the upgrade, whatever it answered. */
export async function openBareSocket(url: string, { protocol = 'graphql-transport-ws', method = 'GET', headers = {} }: Handshake = {}): Promise<BareSocket> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answer = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<number | null>();
  const texts: string[] = [];
  let received = Buffer.alloc(0);
  let isUpgraded = false;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (!isUpgraded && end >= 0) {
      answer.resolve(received.toString());
      isUpgraded = received.toString().startsWith('HTTP/1.1 101');
      received = received.subarray(end + 4);
    }
    if (isUpgraded) for (let frame = takeFrame(); frame; frame = takeFrame()) read(frame);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    answer.resolve(received.toString());
    closed.resolve(null);
  });

  function takeFrame(): { opcode: number; payload: Buffer } | null {
    const [first = 0, second = 0] = received;
    const [header, length] = second < 126 ? [2, second] : second === 126 ? [4, received.length >= 4 ? received.readUInt16BE(2) : Infinity] : [10, received.length >= 10 ? Number(received.readBigUInt64BE(2)) : Infinity];
    if (received.length < 2 || received.length < header + length) return null;
    const payload = received.subarray(header, header + length);
    received = received.subarray(header + length);
    return { opcode: first & 0x0f, payload };
  }

  function read({ opcode, payload }: { opcode: number; payload: Buffer }): void {
    if (opcode === 1) texts.push(payload.toString());
    if (opcode === 8) closed.resolve(payload.length >= 2 ? payload.readUInt16BE(0) : null);
  }

  const lines = { host, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64'), 'sec-websocket-protocol': protocol, ...headers };
  socket.write(
    `${method} ${pathname} HTTP/1.1\r\n${Object.entries(lines)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );

  return {
    answer: await answer.promise,
    frame: (opcode, payload, options = {}) => void socket.write(frameOf(opcode, Buffer.from(payload), options)),
    write: (bytes) => void socket.write(bytes),
    texts,
    closed: closed.promise,
    destroy: () => void socket.destroy(),
  };
}

function frameOf(opcode: number, payload: Buffer, { isFinal = true, isMasked = true }: { readonly isFinal?: boolean; readonly isMasked?: boolean }): Buffer {
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const length = payload.length < 126 ? Buffer.from([payload.length]) : payload.length < 65_536 ? Buffer.from([126, payload.length >> 8, payload.length & 0xff]) : longLength(payload.length);
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0);
  const body = isMasked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload;
  return Buffer.concat([Buffer.from([(isFinal ? 0x80 : 0) | opcode]), length, mask, body]);
}

function longLength(bytes: number): Buffer {
  const length = Buffer.alloc(9);
  length[0] = 127;
  length.writeBigUInt64BE(BigInt(bytes), 1);
  return length;
}

/** Sends bytes and gives all that comes back until the server closes, or until an answer with headers is whole. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  const answered = Promise.withResolvers<string>();
  socket.on('data', (chunk) => {
    received += chunk.toString();
    if (received.includes('\r\n\r\n')) answered.resolve(received);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => answered.resolve(received));
  socket.write(bytes);
  try {
    return await answered.promise;
  } finally {
    socket.destroy();
  }
}
