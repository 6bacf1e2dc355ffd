import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import type { Report } from '../problem.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { bodyOf } from './streamed-body.ts';

test('a client that leaves while a part is made causes no failure', async () => {
  const report = vi.fn<Report>();
  const second = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  async function* parts() {
    yield 'a'.repeat(1024 * 1024);
    asked.resolve();
    yield await second.promise;
  }
  const app = new Hono().get('/', async (c) => c.body(await bodyOf(c, parts(), report)));
  const response = await app.request('/', undefined, testBindings());
  const reader = response.body!.getReader();
  await reader.read();
  const next = reader.read();
  await asked.promise;
  await reader.cancel();
  second.resolve('b');
  await next;
  // The part was made after the client had left.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(report).not.toHaveBeenCalled();
});
