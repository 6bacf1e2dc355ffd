import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { CreatedApiKey } from '../../contract.ts';
import { hourMs } from '../limits/durations.ts';
import { browse, startHttpServer } from '../../tests/http-server.fixture.ts';

test('responses without a user are paced, also to invalid requests; neither those of users nor health checks', async () => {
  // One request of each kind at once.
  await using server = await startHttpServer({ rateLimit: 1e-6 });
  const ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password', name: 'Ann' });
  const { key } = (await (await ann.send('POST', '/api/account/keys', { name: 'x' })).json()) as CreatedApiKey;
  server.wait(3 * hourMs);
  const paced = async () => (await server.measure()).paced;

  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  const statuses = () => received.match(/(?<=HTTP\/1\.1 )\d+/g);
  const expected: string[] = [];
  const ask = (path: string, header = 'x: y') => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`);
  const atOnce = async (path: string, header?: string) => {
    ask(path, header);
    expected.push('200');
    await expect.poll(statuses).toEqual(expected);
    expect(await paced()).toBe(0);
  };
  // Within the rate, and the first one beyond it.
  await atOnce('/robots.txt');
  await atOnce('/robots.txt');
  await atOnce('/healthz');
  await atOnce('/readyz');
  await atOnce('/service/resources', `x-serviceapikey: ${key}`);
  await atOnce('/api/account/keys', `cookie: ${ann.cookie}`);
  // Invalid requests, which are not routed. On a busy machine, a second may have passed before each of them.
  for (let n = 0; n < 20 && (await paced()) === 0; n++) {
    socket.write('GET / HTTP/1.1\r\nhost: a b\r\n\r\n');
    expected.push('400');
    await expect.poll(async () => (await paced()) === 1 || statuses()?.length === expected.length).toBe(true);
  }
  expect(await paced()).toBe(1);
  socket.destroy();
});
