/**
 * The header of the PROXY protocol, by which a TCP proxy tells the address of its client: version 1 (a line) and 2 (binary),
 * https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt. By hand: the packages on npm want the whole header at once, and
 * do not say where it ends if version 2 has added something.
 */
import { isIP } from 'node:net';
import { proxyHeaderAtMost } from './limits.ts';

/** `incomplete`: more bytes must come. `none`: these are no header. `length`: of the header. No `address`: it tells none. */
type ProxyHeader = 'incomplete' | 'none' | { length: number; address?: string };

const firstOfVersion1 = Buffer.from('PROXY ');
const firstOfVersion2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n');
/** With the line break. */
const lineAtMost = 107;
/** The bytes of the head in version 2: the signature, version and command, family and protocol, and the length of the rest. */
const fixedLength = 16;

/**
 * Reads the header at the beginning of what a connection has sent.
 * @throws Error for a header that is not valid, or longer than `proxyHeaderAtMost`
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, firstOfVersion1)) return bytes.length < firstOfVersion1.length ? 'incomplete' : readLine(bytes);
  if (beginsLike(bytes, firstOfVersion2)) return bytes.length < fixedLength ? 'incomplete' : readBinary(bytes);
  return 'none';
}

/** Compares as many bytes as both have. */
function beginsLike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return length > 0 && bytes.subarray(0, length).equals(signature.subarray(0, length));
}

function readLine(bytes: Buffer): ProxyHeader {
  const endIndex = bytes.subarray(0, lineAtMost).indexOf('\r\n');
  if (endIndex === -1) {
    if (bytes.length >= lineAtMost) throw new Error('the line of the PROXY protocol does not end');
    return 'incomplete';
  }
  const length = endIndex + 2;
  const [, family, source = '', destination = '', ...ports] = bytes.toString('latin1', 0, endIndex).split(' ');
  if (family === 'UNKNOWN') return { length };
  const version = family === 'TCP4' ? 4 : 6;
  const isValid = /^TCP[46]$/.test(family!) && [source, destination].every((address) => isIP(address) === version);
  if (!isValid || ports.length !== 2 || !ports.every(isPort))
    throw new Error('the line of the PROXY protocol is wrong');
  return { length, address: source };
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

const local = 0;
const proxied = 1;
/** The addresses of a family, source and destination, in bytes with their ports. Datagrams are not for us. */
const families: Partial<Record<number, { length: number; addressLength: number }>> = {
  0x11: { length: 12, addressLength: 4 },
  0x21: { length: 36, addressLength: 16 },
  // A Unix socket, whose client has no address.
  0x31: { length: 216, addressLength: 0 },
};

function readBinary(bytes: Buffer): ProxyHeader {
  const version = bytes[12]! >> 4;
  const command = bytes[12]! & 15;
  const rest = bytes.readUInt16BE(14);
  const length = fixedLength + rest;
  if (version !== 2 || (command !== local && command !== proxied)) throw new Error('the PROXY protocol is another one');
  if (length > proxyHeaderAtMost) throw new Error('the header of the PROXY protocol is too long');
  const family = families[bytes[13]!];
  const hasAddresses = command === proxied && family !== undefined;
  if (hasAddresses && rest < family.length) throw new Error('the addresses of the PROXY protocol are cut');
  if (bytes.length < length) return 'incomplete';
  // What follows the addresses (the name of the host, a checksum, …) is skipped.
  if (!hasAddresses || family.addressLength === 0) return { length };
  const source = bytes.subarray(fixedLength, fixedLength + family.addressLength);
  return { length, address: family.addressLength === 4 ? source.join('.') : ipv6Of(source) };
}

/** Eight groups: `2001:db8:0:0:0:0:0:1`. An IPv4 address that is mapped into IPv6 in the way that sockets tell it. */
function ipv6Of(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(2 * group));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? `::ffff:${bytes.subarray(12).join('.')}` : groups.map((group) => group.toString(16)).join(':');
}
