import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen, stop } from './server.ts';

test('who asks while it stops is answered and told that it was the last; whoever asks nothing is let go', async () => {
  const server = await listen({ port: 0, host: '127.0.0.1' });
  server.on('request', ({ url }, outgoing) => outgoing.end(`answer to ${url}`));
  const { port } = server.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1').resume();
  const busy = connect(port, '127.0.0.1').setEncoding('utf8');
  await Promise.all([once(silent, 'connect'), once(busy, 'connect')]);
  // the second request is half written when the server stops
  busy.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\nGET /2 HTTP/1.1\r\nhost: x\r\n');
  const [first] = (await once(busy, 'data')) as [string];
  expect(first).toContain('answer to /1');
  expect(first).not.toMatch(/connection: close/i);

  const stopped = stop(server);
  await once(silent, 'close');
  const second = once(busy, 'data');
  busy.write('\r\n');
  expect((await second)[0]).toMatch(/connection: close[^]+answer to \/2/i);
  await Promise.all([once(busy, 'close'), stopped]);
});
