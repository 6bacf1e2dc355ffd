/**
 * Reads a connection one request at a time. node:http parses all requests of a read at once, up to 64 KiB of them, and cannot stop
 * in between: requests of 18 bytes each would take a tenth of a second, and each may be refused afterwards.
 */
import type { Socket } from 'node:net';
import { bodyLengthOf, isBodyUnread, isFree, isReceiving } from './pipelining.ts';

const endOfHead = Buffer.from('\r\n\r\n');
/** In bytes. What is parsed at once of a body whose end is not known: there may be requests behind it. */
const bodySlice = 1024;
/** In bytes. While less waits, the connection is read: one that is not read does not notice that its client has gone. */
const readAhead = 16 * 1024;
const nothing = Buffer.alloc(0);
const readSoAlready = new WeakSet<Socket>();

/**
 * From now on, a request is parsed only when the responses to those before it have been sent. `hold` is told how many bytes more, or
 * fewer, wait for that; it returns false if there is no room for them, and the connection is closed.
 */
export function readOneByOne(socket: Socket, hold: (more: number) => boolean): void {
  // The one of node:http. With another one, it no longer reads past JavaScript.
  const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[];
  if (!parse || socket.destroyed || readSoAlready.has(socket)) return;
  readSoAlready.add(socket);
  let rest: Buffer = nothing;
  /** The bytes of the body that are still to come, 0 if they are not known. */
  let ofBody = 0;
  /** The next byte is the first one of a head. */
  let isAtHead = socket.bytesRead === 0;

  function keep(bytes: Buffer) {
    const hasRoom = hold(bytes.length - rest.length);
    rest = bytes;
    if (!hasRoom) socket.destroy();
  }

  function headLength(): number {
    const at = rest.indexOf(endOfHead);
    return at < 0 ? rest.length : at + endOfHead.length;
  }

  /** Only if a head was parsed alone, nothing of its body was. */
  function onHead(slice: Buffer) {
    const isEnded = slice.subarray(-endOfHead.length).equals(endOfHead);
    ofBody = isAtHead && isEnded && isReceiving(socket) ? bodyLengthOf(socket) : 0;
    isAtHead = isEnded;
  }

  function onBody({ length }: Buffer) {
    if (ofBody === 0) isAtHead = false;
    ofBody = Math.max(0, ofBody - length);
  }

  function parseNext() {
    while (rest.length > 0 && !socket.destroyed) {
      const isBody = isReceiving(socket);
      if (!isBody && !isFree(socket, parseNext)) break;
      const slice = rest.subarray(0, isBody ? ofBody || bodySlice : headLength());
      keep(rest.subarray(slice.length));
      parse!.call(socket, slice);
      if (isBody) onBody(slice);
      else onHead(slice);
    }
    if (rest.length >= readAhead) socket.pause();
    else if (!isBodyUnread(socket)) socket.resume();
  }

  socket.off('data', parse).on('data', (chunk: Buffer) => {
    const isFirst = rest.length === 0;
    keep(isFirst ? chunk : Buffer.concat([rest, chunk]));
    if (isFirst) parseNext();
    else if (rest.length >= readAhead) socket.pause();
  });
  // Node resumes it at the end of each request.
  socket.on('resume', () => rest.length >= readAhead && socket.pause());
  socket.once('close', () => keep(nothing));
}
