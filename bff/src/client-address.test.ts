import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

/** Under what a request from there is counted. */
function counted(from: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(['loopback'])({ socket: { remoteAddress: from }, headers } as unknown as IncomingMessage);
}

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::'],
  ['2001:0DB8:0000:0001::1', '2001:db8:0:1::'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::'],
  ['2001:db8::', '2001:db8:0:0::'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::'],
  ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::'],
  ['fe80::1%eth0', 'fe80:0:0:0::'],
])('counts %s under %s', (from, under) => {
  expect(counted(from)).toBe(under);
  expect(counted('127.0.0.1', from)).toBe(under);
});

it('believes what a proxy of ours says last, and nobody else', () => {
  expect(counted('127.0.0.1', '198.51.100.1, 192.0.2.7')).toBe('192.0.2.7');
  expect(counted('127.0.0.1', '192.0.2.7, 127.0.0.2')).toBe('192.0.2.7');
  expect(counted('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  expect(counted('::1')).toBe('0:0:0:0::');
});
