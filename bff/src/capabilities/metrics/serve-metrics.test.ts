import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveMetrics } from './serve-metrics.ts';

let readings = 0;
let read = async () => '';
const reported: unknown[] = [];
const server = createServer();
let url = '';

beforeAll(async () => {
  serveMetrics({
    server,
    read() {
      readings += 1;
      return read();
    },
    report: (error) => reported.push(error),
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('scrapes at the same time share one reading', async () => {
  const reading = Promise.withResolvers<string>();
  read = () => reading.promise;
  const scrapes = [fetch(`${url}/metrics`), fetch(`${url}/metrics`)];
  await expect.poll(() => readings).toBe(1);
  reading.resolve('up 1\n');
  const answers = await Promise.all(scrapes);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['up 1\n', 'up 1\n']);
  expect(answers[0]!.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test('the next scrape is a new reading, also after one that failed', async () => {
  read = () => Promise.reject(new Error('no'));
  expect((await fetch(`${url}/metrics`)).status).toBe(500);
  expect(reported).toMatchObject([{ message: 'no' }]);
  read = async () => 'up 2\n';
  expect(await (await fetch(`${url}/metrics`)).text()).toBe('up 2\n');
});

test('other paths and methods are refused', async () => {
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics?x`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
});
