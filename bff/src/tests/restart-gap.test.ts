/** A server on SQLite restarts under load: who repeats a request that got no response notices nothing but the gap. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import { createOwner } from './durability.fixture.ts';
import { createSender, long, recordFigure, startServer, temporaryDataDir, type Answer } from './process.fixture.ts';

const restarts = long ? 50 : 2;
const writers = 8;

test('no request fails during restarts, and each write happens once', async () => {
  using folder = temporaryDataDir();
  let server = await startServer(folder);
  const { origin } = server;
  let send = createSender(origin);
  const { headers } = (await createOwner({ send, name: 'ann' })).entryPoints[0]!;
  const load = { isOver: false, responses: 0, repeated: 0, longestGapMs: 0, statuses: new Set<number>() };
  let lastAt = performance.now();

  /** Repeats the request until it gets a response. The key makes this safe for creations. */
  async function request(method: string, path: string, body: object, key: string): Promise<Answer> {
    for (;;) {
      try {
        const headersOfOne = { ...headers, 'idempotency-key': key };
        const answer = await send({ method, path: `/service/resources${path}`, headers: headersOfOne, body });
        load.longestGapMs = Math.max(load.longestGapMs, performance.now() - lastAt);
        lastAt = performance.now();
        load.responses += 1;
        load.statuses.add(answer.status);
        return answer;
      } catch (error) {
        if (load.isOver) throw error;
        load.repeated += 1;
        await wait(10);
      }
    }
  }

  const stored = new Map<string, string>();
  const writing = Array.from({ length: writers }, async (_, writer) => {
    for (let number = 0; !load.isOver; number++) {
      const name = `d${writer}-${number}`;
      const made = await request('POST', '', { name, machine_type: 'bug' }, name);
      const { id } = JSON.parse(made.body) as Resource;
      await request('PUT', `/${id}`, { name: `${name} renamed` }, `${name}-renamed`);
      stored.set(id, `${name} renamed`);
    }
  });
  const reach = async (responses: number) => {
    while (load.responses < responses) await wait(5);
  };

  try {
    for (let count = 0; count < restarts; count++) {
      await reach(load.responses + 50);
      expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
      server = await startServer({ ...folder, env: { PORT: new URL(origin).port } });
      send = createSender(origin);
    }
    await reach(load.responses + 50);
  } finally {
    load.isOver = true;
  }
  await Promise.all(writing);
  expect(load.statuses).toEqual(new Set([200, 201]));
  const list = JSON.parse((await send({ path: '/service/resources', headers })).body) as Resource[];
  expect(new Map(list.map(({ id, name }) => [id, name]))).toEqual(stored);
  const gap = Math.round(load.longestGapMs);
  recordFigure(`${restarts} restarts: ${load.responses} responses, ${load.repeated} repeated, longest gap ${gap} ms`);
  await server[Symbol.asyncDispose]();
});
