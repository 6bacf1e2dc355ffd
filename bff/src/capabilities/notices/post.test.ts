import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPost, isPublic } from './post.ts';

test.for([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.for(['8.8.8.8', '1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test('sends to a private address only if that is allowed, in any form, follows no redirect, and ends what does not end', async () => {
  const received: string[] = [];
  let written = 0;
  const ended = Promise.withResolvers<void>();
  let interimSent = 0;
  const interimEnded = Promise.withResolvers<void>();
  const stop = new AbortController();
  const listener = createServer((request, response) => {
    received.push(request.url!);
    if (request.url === '/interim') {
      response.on('close', interimEnded.resolve);
      while (interimSent < 1000 && response.writable) {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        interimSent += 1;
      }
    } else if (request.url === '/open') response.writeHead(200).write('a');
    else if (request.url === '/slow') response.writeHead(500).write('why');
    else if (request.url === '/cut') response.writeHead(500).write('a', () => request.socket.destroy());
    else if (request.url === '/never') stop.abort();
    else if (request.url === '/endless') {
      response.writeHead(500);
      const part = 'b'.repeat(64 * 1024);
      const more = () => {
        while (response.write(part)) written += part.length;
      };
      response.on('drain', more).on('close', ended.resolve);
      more();
    } else if (request.url === '/redirect') response.writeHead(302, { location: '/redirected' }).end();
    else response.writeHead(request.url === '/long' ? 500 : 200).end(`a\u0000${'b'.repeat(100_000)}`);
  }).listen(0, '127.0.0.1');
  listener.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'));
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const send = (host: string, path: string, allowsPrivate: boolean) => {
    const url = `http://${host}:${port}/${path}`;
    return createPost({ allowsPrivate })({ url, headers: {}, body: '{}', signal: stop.signal });
  };
  try {
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'])
      expect(await send(host, host, false)).toEqual({ status: null, answer: 'private_address' });
    // The name has another address than when it was stored.
    const addresses = [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const rebound = createPost({ allowsPrivate: false, readAddresses: async () => addresses });
    const url = `http://example.org:${port}/rebound`;
    expect(await rebound({ url, headers: {}, body: '{}' })).toEqual({ status: null, answer: 'private_address' });
    expect(received).toEqual([]);
    expect(await send('127.0.0.1', 'redirect', true)).toEqual({ status: 302, answer: 'redirect' });
    expect(await send('127.0.0.1', 'long', true)).toEqual({ status: 500, answer: `a ${'b'.repeat(198)}` });
    // A success ends with its status, another response a second later.
    expect(await send('127.0.0.1', 'open', true)).toEqual({ status: 200, answer: '' });
    expect(await send('127.0.0.1', 'slow', true)).toEqual({ status: 500, answer: 'why' });
    expect(await send('127.0.0.1', 'cut', true)).toEqual({ status: 500, answer: 'a' });
    expect(await send('127.0.0.1', 'endless', true)).toEqual({ status: 500, answer: 'b'.repeat(200) });
    await ended.promise;
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(await send('127.0.0.1', 'interim', true)).toEqual({ status: 103, answer: '' });
    await interimEnded.promise;
    // The same as when its time is over.
    expect(await send('127.0.0.1', 'never', true)).toEqual({ status: null, answer: 'timeout' });
    expect(received).toEqual(['/redirect', '/long', '/open', '/slow', '/cut', '/endless', '/interim', '/never']);
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
  const post = (host: string) =>
    createPost({ allowsPrivate: true })({ url: `http://${host}/`, headers: {}, body: '{}' });
  expect(await post(`127.0.0.1:${port}`)).toEqual({ status: null, answer: 'no_connection' });
  expect(await post('no-such-name.invalid')).toEqual({ status: null, answer: 'dns' });
});
