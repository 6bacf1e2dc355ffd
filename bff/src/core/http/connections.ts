/** The open connections of a server, which are bounded for all clients and for each address. */
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { BoundedMap, Counts, SetsByKey } from '../limits/bounded-map.ts';
import { pipelineLimits, type connectionLimits } from '../limits/operation-limits.ts';
import { memoryTable } from '../limits/part-limits.ts';
import { readOneByOne } from './one-by-one.ts';
import { isIdle, onCrowded, onPipelined } from './pipelining.ts';

export interface ConnectionOptions {
  most: Readonly<Record<keyof typeof connectionLimits, number>>;
  /** Clients behind a trusted proxy have its address: it may have as many connections as all. */
  isTrusted: (address: string) => boolean;
  /** The network of an address, by which its connections are counted. */
  keyOf: (address: string) => string;
  /** Logs that a connection was closed, because there are too many; at most once a minute. */
  warn: (message: string, facts: { address: string; connections: number }) => void;
}

export type Connections = ReturnType<typeof createConnections>;

/** Busy connections that are passed over to find an idle one. They are looked at last the next time. */
const looks = 100;
const warnEveryMs = 60_000;

/**
 * Counts connections. One more than allowed closes an idle one of its address, or of the address that has most if there are too
 * many of all: one that has sent no request, or the rest of none, or whose requests are answered. If all are busy, the new one is
 * closed. A connection whose client pipelines requests is read one request at a time, and so are all of an address whose clients pipeline many
 * of them, for a while, except those of a trusted proxy.
 */
export function createConnections({ most, isTrusted, keyOf, warn }: ConnectionOptions) {
  const openSockets = new Set<Socket>();
  const byAddress = new SetsByKey<Socket>();

  /** When a client of the address has last pipelined many requests. */
  const crowdedAt = new BoundedMap<string, number>(memoryTable.pipelining_addresses.most);
  /** The bytes that are not parsed yet, by address. */
  const unparsed = new Counts();

  let warnedAt = Number.NEGATIVE_INFINITY;

  function warnSometimes(address: string) {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    warn('too many connections: idle ones are closed', { address, connections: byAddress.get(address)?.size ?? 0 });
  }

  function addressWithMost(): string {
    let found = '';
    let count = 0;
    for (const [address, sockets] of byAddress) {
      if (sockets.size <= count) continue;
      found = address;
      count = sockets.size;
    }
    return found;
  }

  /** Returns false if none was found. */
  function closeIdle(address: string): boolean {
    const sockets = byAddress.get(address);
    if (!sockets) return false;
    let left = Math.min(looks, sockets.size);
    for (const socket of sockets) {
      if (left === 0) return false;
      left -= 1;
      if (isIdle(socket)) {
        remove(address, socket);
        socket.destroy();
        return true;
      }
      sockets.delete(socket);
      sockets.add(socket);
    }
    return false;
  }

  function isCrowded(address: string): boolean {
    const at = crowdedAt.get(address);
    return at !== undefined && performance.now() - at < pipelineLimits.forMs;
  }

  function noteCrowd(address: string) {
    if (isCrowded(address)) return;
    crowdedAt.set(address, performance.now());
    // Those that were open before, too.
    for (const socket of byAddress.of(address)) readSlowlySoon(address, socket);
  }

  /** Not at once, because it may be the one that is being parsed, but before it is read again. */
  const readSlowlySoon = (address: string, socket: Socket) => queueMicrotask(() => readSlowly(address, socket));

  function readSlowly(address: string, socket: Socket) {
    // The bytes of all clients of a trusted proxy are bounded by its connections.
    const mostBytes = isTrusted(socket.remoteAddress ?? '') ? Number.POSITIVE_INFINITY : most.unparsedBytes;
    readOneByOne(socket, (more) => unparsed.change(address, more) <= mostBytes);
  }

  function remove(address: string, socket: Socket) {
    openSockets.delete(socket);
    byAddress.remove(address, socket);
  }

  return {
    sockets: openSockets as ReadonlySet<Socket>,
    add(socket: Socket): void {
      const remote = socket.remoteAddress ?? '';
      const address = keyOf(remote);
      const ofAddress = byAddress.get(address)?.size ?? 0;
      const crowdedAddress =
        ofAddress >= most.ofAddress && !isTrusted(remote)
          ? address
          : openSockets.size >= most.all
            ? addressWithMost()
            : undefined;
      if (crowdedAddress !== undefined) {
        warnSometimes(crowdedAddress);
        if (!closeIdle(crowdedAddress)) {
          socket.destroy();
          return;
        }
      }
      openSockets.add(socket);
      byAddress.add(address, socket);
      socket.once('close', () => remove(address, socket));
      onPipelined(socket, () => readSlowlySoon(address, socket));
      if (isTrusted(remote)) return;
      if (isCrowded(address)) readSlowly(address, socket);
      else onCrowded(socket, () => noteCrowd(address));
    },
  };
}
