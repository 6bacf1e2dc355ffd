import type { IncomingMessage } from 'node:http';
import { expect, it, vi } from 'vitest';
import { createClientAddress } from './client-address.ts';

function requestFrom(remoteAddress: string, headers = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

const loopback = [
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' as const },
  { address: '::1', prefix: 128, family: 'ipv6' as const },
];

/** The address that is rate-limited. */
function counted(from: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(loopback, () => {}).ofRequest(requestFrom(from, headers));
}

it('reads a long X-Forwarded-For only as far as the proxies wrote it', () => {
  const trim = vi.spyOn(String.prototype, 'trim');
  const address = counted('127.0.0.1', `${'1,'.repeat(8000)}198.51.100.1, 192.0.2.7, 127.0.0.2`);
  const read = trim.mock.calls.length;
  trim.mockRestore();
  expect([address, read]).toEqual(['192.0.2.7', 2]);
});

it('ignores what is not an address', () => {
  for (const forwarded of ['', ',', 'unknown', ',,unknown,']) expect(counted('127.0.0.1', forwarded)).toBe('127.0.0.1');
  expect(counted('127.0.0.1', '192.0.2.7,,unknown,')).toBe('192.0.2.7');
});

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
])('maps %s to %s', (from, under) => {
  expect(counted(from)).toBe(under);
  expect(counted('127.0.0.1', from)).toBe(under);
});

it('uses the last forwarded address of a trusted proxy only', () => {
  expect(counted('127.0.0.1', '198.51.100.1, 192.0.2.7')).toBe('192.0.2.7');
  expect(counted('127.0.0.1', '192.0.2.7, 127.0.0.2')).toBe('192.0.2.7');
  expect(counted('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  expect(counted('::1')).toBe('0:0:0:0::');
});

it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
  'warns once about an untrusted proxy that sends %s',
  (header) => {
    const warn = vi.fn<(message: string, facts: object) => void>();
    const { ofRequest: addressOf } = createClientAddress([{ address: '192.0.2.1', prefix: 32, family: 'ipv4' }], warn);
    addressOf(requestFrom('192.0.2.1', { [header]: '198.51.100.1' }));
    addressOf(requestFrom('10.0.0.5'));
    expect(warn).not.toHaveBeenCalled();
    addressOf(requestFrom('10.0.0.5', { [header]: '198.51.100.1' }));
    addressOf(requestFrom('10.0.0.5', { [header]: '198.51.100.2' }));
    expect(warn.mock.calls).toEqual([[expect.stringContaining('TRUSTED_PROXIES'), { peer: '10.0.0.5', header }]]);
  },
);

it('is that of the PROXY protocol, if a trusted proxy has told one', () => {
  const warn = vi.fn<(message: string, facts: object) => void>();
  const { ofConnection, ofProxied, hasUnknownProxy } = createClientAddress(loopback, warn);
  expect(ofConnection('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(ofConnection('2001:db8:0:1::7')).toBe('2001:db8:0:1::');
  const proxy = '::ffff:127.0.0.1';
  expect(ofProxied(proxy, '2001:db8:0:1::7')).toBe('2001:db8:0:1::');
  expect(ofProxied(proxy, '::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(ofProxied(proxy)).toBe('127.0.0.1');
  expect(hasUnknownProxy()).toBe(false);
  expect(ofProxied('', '192.0.2.7')).toBeUndefined();
  expect(hasUnknownProxy()).toBe(false);
  expect(ofProxied('192.0.2.1', '192.0.2.7')).toBeUndefined();
  expect([hasUnknownProxy(), warn.mock.calls[0]![1]]).toEqual([true, { peer: '192.0.2.1', header: 'PROXY' }]);
});
