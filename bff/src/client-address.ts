import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * The address a request is counted under: of IPv6 the network of 64 bits, because whoever has one address of it has
 * them all. X-Forwarded-For is believed only as far as it was written by proxies that we trust: the last address in it
 * that is not one of them.
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    if (proxy === 'loopback') {
      trusted.addSubnet('127.0.0.0', 8, 'ipv4');
      trusted.addAddress('::1', 'ipv6');
    } else {
      trusted.addAddress(proxy, isIP(proxy) === 6 ? 'ipv6' : 'ipv4');
    }
  }
  const isTrusted = (address: string) =>
    isIP(address) > 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (incoming: IncomingMessage): string => {
    const peer = plain(incoming.socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return networkOf(peer);
    const forwarded = [incoming.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const claimed = forwarded.map((address) => plain(address.trim())).filter((address) => isIP(address) > 0);
    return networkOf(claimed.findLast((address) => !isTrusted(address)) ?? peer);
  };
}

/** An IPv4 address that came in over an IPv6 socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, '');
}

/** `2001:db8:0:1::` for every address of that network; an IPv4 address stands for itself. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // the last 32 bits may be written as an IPv4 address
  const length = before.length + after.length + (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - length }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, 4).map((part) => Number.parseInt(part, 16).toString(16));
  return `${network.join(':')}::`;
}
