import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface IdleProxy {
  readonly port: number;
  /** How many connections it has cut because nothing went through them. */
  readonly cut: () => number;
  /** Cuts every connection, as a network that fails does. */
  cutAll(): void;
  /** From now on nothing goes through, and nobody is told: as a network whose packets are lost. New connections are made, and get no answer. */
  goSilent(): void;
  /** Lets new connections through; those that were silent stay so, and still nobody is told. */
  stopLosing(): void;
  /** Cuts what was silent, and lets new connections through. */
  speak(): void;
  close(): Promise<void>;
}

/** A proxy as there are many on the way: it cuts a connection through which nothing has gone for a while. */
export async function startIdleProxy(targetPort: number, idleMilliseconds: number): Promise<IdleProxy> {
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let cut = 0;
  let isSilent = false;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    const both = [client, target];
    let timer = setTimeout(giveUp, idleMilliseconds);
    function giveUp() {
      cut += 1;
      for (const socket of both) socket.destroy();
    }
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, idleMilliseconds);
        if (!isSilent && !lost.has(from)) to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        clearTimeout(timer);
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => cut,
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
    goSilent() {
      isSilent = true;
    },
    stopLosing() {
      isSilent = false;
      for (const socket of sockets) lost.add(socket);
    },
    speak() {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
