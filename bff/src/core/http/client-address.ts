import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../config/config.ts';

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
const unknownProxy = 'a proxy is not in TRUSTED_PROXIES: all its clients share one rate limit';
const noHeader =
  'an address of TRUSTED_PROXIES sends requests without X-Forwarded-For: they count for it, and it can claim any other address';
const unreadableEntry = 'a trusted proxy sends an address that cannot be read: its clients share one rate limit';
const differentHeaders =
  'X-Forwarded-For and Forwarded name different clients: let the proxy remove the one that it does not write';

export type ClientAddress = ReturnType<typeof createClientAddress>;

/**
 * The address that rate limits are counted for. For IPv6 it is the /64 network, because one subscriber has all of it.
 * X-Forwarded-For and Forwarded (RFC 7239) are trusted only as far as trusted proxies wrote them: the result is the last address
 * in them that is not a trusted proxy, unless an entry behind it cannot be read. A client could have written what is before
 * that entry. If both headers are there and name different addresses, nobody knows which one a client wrote, and the address is
 * that of the proxy. `warn` logs each of these cases once, because then users share one address, and thus one limit.
 */
export function createClientAddress(
  trustedProxies: Config['trustedProxies'],
  warn: (message: string, facts: { peer: string; header: string; entry?: string }) => void,
) {
  const isTrusted = trustedBy(trustedProxies);

  const warned = new Set<string>();
  function warnOnce(message: string, facts: { peer: string; header: string; entry?: string }) {
    if (warned.has(message)) return;
    warned.add(message);
    warn(message, facts);
  }

  function warnOfProxy(peer: string, header: string | undefined) {
    // The connection of a health check may have ended before it is read, and then has no address.
    if (header !== undefined && peer !== '') warnOnce(unknownProxy, { peer, header });
  }

  function ofRequest({ socket, headers, url }: IncomingMessage): string {
    const peer = plain(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) {
      warnOfProxy(
        peer,
        proxyHeaders.find((name) => headers[name] !== undefined),
      );
      return networkOf(peer);
    }
    const hasHeader = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    // Proxies themselves ask for these.
    if (!hasHeader && !/^\/(healthz|readyz)(\?|$)/.test(url ?? ''))
      warnOnce(noHeader, { peer, header: 'x-forwarded-for' });
    return networkOf(forwardedTo(peer, headers) ?? peer);
  }

  function forwardedTo(peer: string, { 'x-forwarded-for': list, forwarded }: IncomingHttpHeaders): string | undefined {
    const byList = list === undefined ? undefined : lastUntrusted(peer, 'x-forwarded-for', [list].flat().join(','));
    if (forwarded === undefined) return byList;
    const byForwarded = lastUntrusted(peer, 'forwarded', forwarded);
    if (list === undefined || byList === byForwarded) return byForwarded;
    warnOnce(differentHeaders, { peer, header: 'forwarded' });
    return undefined;
  }

  /** Reads from the end: a client may have sent thousands of addresses before those that proxies add. */
  function lastUntrusted(peer: string, header: keyof typeof readEntry, text: string): string | undefined {
    let endIndex = text.length;
    while (endIndex > 0) {
      const comma = text.lastIndexOf(',', endIndex - 1);
      const entry = text.slice(comma + 1, endIndex).trim();
      const address = readEntry[header](entry);
      if (address === undefined) {
        warnOnce(unreadableEntry, { peer, header, entry: entry.slice(0, 100) });
        return undefined;
      }
      if (!isTrusted(address)) return address;
      endIndex = comma;
    }
    return undefined;
  }

  return {
    ofRequest,
    /** Returns the address of the client of a connection by another protocol. */
    ofConnection: (remoteAddress: string): string => networkOf(plain(remoteAddress)),
    /**
     * Returns the address of the client after the PROXY protocol has announced one, if it has. Undefined if the proxy is not trusted: then
     * nothing that it sends is.
     */
    ofProxied(remoteAddress: string, announced?: string): string | undefined {
      const peer = plain(remoteAddress);
      if (isTrusted(peer)) return networkOf(plain(announced ?? peer));
      warnOfProxy(peer, 'PROXY');
      return undefined;
    },
    /** Whether a proxy that is not trusted has sent requests. */
    hasUnknownProxy: () => warned.has(unknownProxy),
  };
}

/** For limits of connections, whose headers are not known. `remote`: the address of a socket. */
export function connectionAddresses(trustedProxies: Config['trustedProxies']) {
  const isTrusted = trustedBy(trustedProxies);
  return {
    /** The network of the address, by which its connections are counted. */
    keyOf: (remote: string): string => networkOf(plain(remote)),
    isTrusted: (remote: string): boolean => isTrusted(plain(remote)),
  };
}

/** Whether an address is one of these proxies. */
function trustedBy(trustedProxies: Config['trustedProxies']): (address: string) => boolean {
  const trusted = new BlockList();
  for (const { address, prefix, family } of trustedProxies) trusted.addSubnet(address, prefix, family);
  return (address) => isIP(address) > 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const readEntry = { 'x-forwarded-for': readNode, forwarded: readForwarded };

/** `[2001:db8::1]` and addresses with a port, which is a number or a name that begins with `_` (RFC 7239, 6). */
const bracketedOrWithPort = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** The address of a client without its port. Undefined if it cannot be read: `unknown`, a host name, a Unix socket. */
function readNode(node: string): string | undefined {
  const { v4, v6 } = bracketedOrWithPort.exec(node)?.groups ?? {};
  if (v6 !== undefined) return isIP(v6) === 6 ? plain(v6) : undefined;
  const address = plain(v4 ?? node);
  return isIP(address) > 0 ? address : undefined;
}

/**
 * A pair of Forwarded. Sticky: what is between two pairs makes the element unreadable. An address with colons needs quotation
 * marks, which some proxies forget.
 */
const forwardedPair = /\s*(?<name>[\w-]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^\s",;\\]*))\s*(?:;|$)/y;

/**
 * The address in an element of Forwarded, such as `for="[2001:db8::1]:47011";proto=https`. An element ends at any comma, also in
 * quotation marks: a client that leaves a quotation mark open must not hide the next element, which a proxy wrote.
 */
function readForwarded(element: string): string | undefined {
  const nodes: string[] = [];
  for (let at = 0; at < element.length; at = forwardedPair.lastIndex) {
    forwardedPair.lastIndex = at;
    const { name, quoted, token } = forwardedPair.exec(element)?.groups ?? {};
    if (name === undefined) return undefined;
    if (name.toLowerCase() === 'for') nodes.push(quoted?.replaceAll(/\\(.)/g, '$1') ?? token!);
  }
  return nodes.length === 1 ? readNode(nodes[0]!) : undefined;
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
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::`;
}
