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

it('ends at what is not an address: a client may have written what is before it', () => {
  for (const forwarded of ['', ',', 'unknown', ',,unknown,']) expect(counted('127.0.0.1', forwarded)).toBe('127.0.0.1');
  for (const end of [
    'unknown',
    '_hidden',
    'unix:',
    'proxy.example.org',
    '192.0.2.7:',
    '192.0.2.7:port',
    '[192.0.2.7]',
    '',
  ]) {
    expect(counted('127.0.0.1', `9.9.9.9, ${end}`)).toBe('127.0.0.1');
    expect(counted('127.0.0.1', `9.9.9.9, ${end}, 127.0.0.2`)).toBe('127.0.0.1');
    expect(counted('127.0.0.1', `${end}, 192.0.2.7`)).toBe('192.0.2.7');
  }
});

it.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['9.9.9.9, 203.0.113.7:51234', '203.0.113.7'],
  ['203.0.113.7:51234, 127.0.0.2:80', '203.0.113.7'],
  ['[2001:db8:0:1::7]:51234', '2001:db8:0:1::'],
  ['[2001:db8:0:1::7]', '2001:db8:0:1::'],
  ['[::ffff:203.0.113.7]:51234', '203.0.113.7'],
])('reads the port and the brackets of %s', (forwarded, address) => {
  expect(counted('127.0.0.1', forwarded)).toBe(address);
});

/** The same with the header of RFC 7239, and optionally the older one. */
function countedBy(forwarded: string, list?: string): string {
  const headers = { forwarded, ...(list !== undefined && { 'x-forwarded-for': list }) };
  return createClientAddress(loopback, () => {}).ofRequest(requestFrom('127.0.0.1', headers));
}

it.each([
  ['for=192.0.2.43', '192.0.2.43'],
  ['For="192.0.2.43:47011"', '192.0.2.43'],
  ['for=192.0.2.43:_http;proto=https;by=203.0.113.43', '192.0.2.43'],
  ['for=[2001:db8:0:1::17]:4711;host=', '2001:db8:0:1::'],
  ['for=2001:db8:0:1::17', '2001:db8:0:1::'],
  ['proto=https; for="[2001:db8:0:1::17]:4711"', '2001:db8:0:1::'],
  ['for="192.0.2\\.43"', '192.0.2.43'],
  ['for=9.9.9.9, for=192.0.2.43;host="a;for=8.8.8.8", for=127.0.0.2', '192.0.2.43'],
  ['for=", for=192.0.2.43', '192.0.2.43'],
])('reads the header Forwarded: %s', (forwarded, address) => {
  expect(countedBy(forwarded)).toBe(address);
});

it.each([
  'for=unknown',
  'for="_gazonk"',
  'proto=https',
  'for=192.0.2.1;for=192.0.2.2',
  'for=',
  'for=192.0.2.1 x',
  'for="192.0.2.1',
  '',
])('ends at an element of Forwarded that cannot be read: %s', (element) => {
  expect(countedBy(`for=9.9.9.9, ${element}`)).toBe('127.0.0.1');
});

it('does not let a host in quotation marks name an address', () => {
  const hosts = ['x, for=9.9.9.9', 'x, for=9.9.9.9;a=', 'x, for=9.9.9.9;a=\\"', 'x, for=9.9.9.9;a=b'];
  for (const host of hosts)
    for (const after of ['', ';proto=https', ';proto="https"'])
      expect(countedBy(`for=192.0.2.43;host="${host}"${after}`)).not.toBe('9.9.9.9');
});

it("is that of the proxy if its two headers name different clients: one of them is the client's own", () => {
  expect(countedBy('for=192.0.2.43', '192.0.2.43')).toBe('192.0.2.43');
  expect(countedBy('for=192.0.2.43', '9.9.9.9')).toBe('127.0.0.1');
  expect(countedBy('for=9.9.9.9', 'unix:')).toBe('127.0.0.1');
  expect(countedBy('for=9.9.9.9', '')).toBe('127.0.0.1');
});

it('warns once about a trusted proxy whose clients cannot be told apart', () => {
  const warn = vi.fn<(message: string, facts: object) => void>();
  const { ofRequest, hasUnknownProxy } = createClientAddress(loopback, warn);
  for (const entry of ['unix:', 'unknown'])
    ofRequest(requestFrom('127.0.0.1', { 'x-forwarded-for': `9.9.9.9, ${entry}` }));
  const headers = { 'x-forwarded-for': '192.0.2.43', forwarded: 'for=9.9.9.9' };
  for (const peer of ['127.0.0.1', '127.0.0.2']) ofRequest(requestFrom(peer, headers));
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('cannot be read'), { peer: '127.0.0.1', header: 'x-forwarded-for', entry: 'unix:' }],
    [expect.stringContaining('different clients'), { peer: '127.0.0.1', header: 'forwarded' }],
  ]);
  expect(hasUnknownProxy()).toBe(false);
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

it('warns once about a trusted address that sends requests without the header', () => {
  const warn = vi.fn<(message: string, facts: object) => void>();
  const { ofRequest, hasUnknownProxy } = createClientAddress(loopback, warn);
  for (const url of ['/healthz', '/readyz?x']) ofRequest(Object.assign(requestFrom('127.0.0.1'), { url }));
  expect(warn).not.toHaveBeenCalled();
  for (const peer of ['127.0.0.1', '127.0.0.2']) ofRequest(requestFrom(peer));
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('without X-Forwarded-For'), { peer: '127.0.0.1', header: 'x-forwarded-for' }],
  ]);
  expect(hasUnknownProxy()).toBe(false);
});

it.each(['x-forwarded-for', 'forwarded', 'x-real-ip'])(
  'warns once about an untrusted proxy that sends %s',
  (header) => {
    const warn = vi.fn<(message: string, facts: object) => void>();
    const { ofRequest: addressOf } = createClientAddress([{ address: '192.0.2.1', prefix: 32, family: 'ipv4' }], warn);
    const own = { 'x-forwarded-for': '198.51.100.1' };
    addressOf(
      requestFrom('192.0.2.1', { ...own, [header]: header === 'forwarded' ? 'for=198.51.100.1' : '198.51.100.1' }),
    );
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
