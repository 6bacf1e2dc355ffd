import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readProxyHeader } from './proxy-protocol.ts';

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
/** A header of version 2. */
function binary(command: number, family: number, ...parts: Buffer[]): Buffer {
  const rest = Buffer.concat(parts);
  return Buffer.concat([signature, Buffer.from([command, family, rest.length >> 8, rest.length & 255]), rest]);
}
const ports = Buffer.from([0xc0, 0, 0x22, 0xb3]);
const ipv4 = Buffer.concat([Buffer.from([192, 0, 2, 7, 10, 0, 0, 1]), ports]);
const [client, proxy] = ['20010db8000000010000000000000007', '20010db8000000000000000000000001'];
const ipv6 = Buffer.concat([Buffer.from(client + proxy, 'hex'), ports]);
const mapped = Buffer.concat([Buffer.from(`00000000000000000000ffffc0000207${proxy}`, 'hex'), ports]);
/** With the types of a checksum, a name of a host, and one that is not in the specification. */
const more = Buffer.from([3, 0, 4, 1, 2, 3, 4, 2, 0, 1, 0x61, 0xee, 0, 0]);

const valid: [name: string, header: Buffer, address: string | undefined][] = [
  ['version 1, IPv4', Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1 49152 8883\r\n'), '192.0.2.7'],
  ['version 1, IPv6', Buffer.from('PROXY TCP6 2001:db8:0:1::7 2001:db8::1 49152 8883\r\n'), '2001:db8:0:1::7'],
  ['version 1, unknown', Buffer.from('PROXY UNKNOWN\r\n'), undefined],
  ['version 1, unknown with addresses', Buffer.from('PROXY UNKNOWN ::1 ::1 1 2\r\n'), undefined],
  ['version 2, IPv4', binary(0x21, 0x11, ipv4), '192.0.2.7'],
  ['version 2, IPv6', binary(0x21, 0x21, ipv6), '2001:db8:0:1:0:0:0:7'],
  ['version 2, IPv4 in IPv6', binary(0x21, 0x21, mapped), '::ffff:192.0.2.7'],
  ['version 2 with more', binary(0x21, 0x11, ipv4, more), '192.0.2.7'],
  ['version 2, local', binary(0x20, 0x00), undefined],
  ['version 2, local with addresses', binary(0x20, 0x11, ipv4), undefined],
  ['version 2, a Unix socket', binary(0x21, 0x31, Buffer.alloc(216, 0x61)), undefined],
  ['version 2, unspecified', binary(0x21, 0x00, more), undefined],
  ['version 2, datagrams', binary(0x21, 0x12, ipv4), undefined],
];
const rest = Buffer.from([0x10, 0x0d, 0x0a, 0x50]);

describe.each(valid)('%s', (_, header, address) => {
  test('tells the address of the client, and where the header ends', () => {
    const expected = { length: header.length, ...(address !== undefined && { address }) };
    expect(readProxyHeader(header)).toEqual(expected);
    expect(readProxyHeader(Buffer.concat([header, rest]))).toEqual(expected);
  });

  test('is incomplete at each of its bytes but the last', () => {
    for (let length = 1; length < header.length; length++)
      expect(readProxyHeader(header.subarray(0, length)), String(length)).toBe('incomplete');
  });
});

test.each([
  ['an address of the other family', Buffer.from('PROXY TCP4 ::1 ::1 1 2\r\n')],
  ['no address', Buffer.from('PROXY TCP4 a.b.c.d 10.0.0.1 1 2\r\n')],
  ['a port that is none', Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1 1 65536\r\n')],
  ['no ports', Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1\r\n')],
  ['an unknown family', Buffer.from('PROXY UDP4 192.0.2.7 10.0.0.1 1 2\r\n')],
  ['a line without an end', Buffer.from(`PROXY UNKNOWN ${'a'.repeat(93)}`)],
  ['version 3', binary(0x31, 0x11, ipv4)],
  ['an unknown command', binary(0x22, 0x11, ipv4)],
  ['addresses that are cut', binary(0x21, 0x21, ipv4)],
  ['a header of 64 KiB, before it has arrived', binary(0x21, 0x11, ipv4, Buffer.alloc(65_000)).subarray(0, 16)],
])('%s is an error', (_, header) => {
  expect(() => readProxyHeader(header)).toThrow(/PROXY protocol/);
});

test('what begins in another way is no header', () => {
  expect(readProxyHeader(Buffer.from([0x10, 0x20]))).toBe('none');
  expect(readProxyHeader(Buffer.from('PROXy TCP4'))).toBe('none');
  expect(readProxyHeader(Buffer.from('\r\n\r\n\r'))).toBe('none');
  expect(readProxyHeader(Buffer.alloc(0))).toBe('none');
});

test('whatever arrives is read, and a header never ends behind what has arrived', () => {
  const headers = fc.constantFrom(...valid.map(([, header]) => header));
  const damaged = fc.tuple(headers, fc.nat(), fc.nat(255)).map(([header, at, byte]) => {
    const bytes = Buffer.from(header);
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      try {
        const read = readProxyHeader(Buffer.from(bytes));
        if (typeof read === 'object') expect(read.length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect((error as Error).message).toMatch(/PROXY protocol/);
      }
    }),
  );
});
