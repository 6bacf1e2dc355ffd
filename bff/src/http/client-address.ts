import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../config/config.ts';

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

export type ClientAddress = ReturnType<typeof createClientAddress>;

/**
 * The address that rate limits are counted for. For IPv6 it is the /64 network, because one subscriber has all of it.
 * X-Forwarded-For is trusted only as far as trusted proxies wrote it: the result is the last address in it that is not
 * a trusted proxy. What an untrusted proxy says is logged by `warn`, once: behind an unknown proxy all users share one
 * address, and thus one limit.
 */
export function createClientAddress(
  trustedProxies: Config['trustedProxies'],
  warn: (message: string, facts: { peer: string; header: string }) => void,
) {
  const trusted = new BlockList();
  for (const { address, prefix, family } of trustedProxies) trusted.addSubnet(address, prefix, family);
  const isTrusted = (address: string) =>
    isIP(address) > 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  let warned = false;
  function warnOfProxy(peer: string, header: string | undefined) {
    // The connection of a health check may have ended before it is read, and then has no address.
    if (header === undefined || peer === '' || warned) return;
    warned = true;
    warn('a proxy is not in TRUSTED_PROXIES: all its clients share one rate limit', { peer, header });
  }

  function ofRequest({ socket, headers }: IncomingMessage): string {
    const peer = plain(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) {
      warnOfProxy(
        peer,
        proxyHeaders.find((name) => headers[name] !== undefined),
      );
      return networkOf(peer);
    }
    return networkOf(lastUntrusted([headers['x-forwarded-for'] ?? []].flat().join(',')) ?? peer);
  }

  /** Reads from the end: a client may have sent thousands of addresses before those that proxies add. */
  function lastUntrusted(forwarded: string): string | undefined {
    let end = forwarded.length;
    while (end > 0) {
      const comma = forwarded.lastIndexOf(',', end - 1);
      const address = plain(forwarded.slice(comma + 1, end).trim());
      if (isIP(address) > 0 && !isTrusted(address)) return address;
      end = comma;
    }
    return undefined;
  }

  return {
    ofRequest,
    /** The same for a connection by another protocol. */
    ofConnection: (remoteAddress: string): string => networkOf(plain(remoteAddress)),
    /**
     * The same after the PROXY protocol has told an address, if it has. Undefined if the proxy is not trusted: then nothing that
     * it sends is.
     */
    ofProxied(remoteAddress: string, told?: string): string | undefined {
      const peer = plain(remoteAddress);
      if (isTrusted(peer)) return networkOf(plain(told ?? peer));
      warnOfProxy(peer, 'PROXY');
      return undefined;
    },
    /** Whether a proxy that is not trusted has sent requests. */
    hasUnknownProxy: () => warned,
  };
}

/** Converts an IPv4-mapped IPv6 address. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, '');
}

/**
 * The /64 network of an IPv6 address, such as `2001:db8:0:1::`; an IPv4 address unchanged. A copy, because a slice
 * would keep the whole header in memory while a limit stores the address.
 */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return Buffer.from(address).toString();
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The last 32 bits may be written as an IPv4 address.
  const length = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - length }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16));
  return `${network.join(':')}::`;
}
