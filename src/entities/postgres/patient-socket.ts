import { Socket } from 'node:net';

/**
 * A connection's socket, which is cut when nothing came or went for so long. Cut and not only given up: a connection whose answer is still
 * to come may be in the middle of a transaction, and whoever got it next would work within that.
 */
export function patientSocket(milliseconds: number): Socket {
  const socket = new Socket();
  socket.setTimeout(milliseconds, () => socket.destroy(new Error(`The database has not answered for ${milliseconds / 1000} seconds.`)));
  return socket;
}
