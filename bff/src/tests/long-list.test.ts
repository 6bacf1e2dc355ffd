import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { Resource } from '../contract.ts';
import { openDatabase } from '../core/store/sqlite/open-database.ts';
import type { Database } from '../core/store/database.ts';
import { createOwner } from './durability.fixture.ts';
import { createSender, long, startServer, temporaryDataDir, type Send } from './process.fixture.ts';
import { startHttpServer } from './http-server.fixture.ts';

const rows = long ? 100_000 : 40_000;
const megabyte = 1024 * 1024;
const idOf = (number: number) => `019a0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Adds many devices of this user, each with a description of 1,000 characters. */
async function fill({ db, name, count }: { db: Database; name: string; count: number }) {
  const sql = `INSERT INTO resources (id, user_id, name, machine_type, description, created_at, changed_at, version,
      name_key, name_folded, description_folded)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2)
    SELECT printf('019a0000-0000-7000-8000-%012x', i), $1, 'device ' || i, 'pc', printf('%.1000c', 'x'), at, at, 1,
      'device ' || i, 'device ' || i, printf('%.1000c', 'x')
    FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 100, 'unixepoch') AS at FROM n)`;
  await db.write([{ sql, params: [name, count] }]);
}

async function askForList({ origin, key }: { origin: string; key: Record<string, string> }): Promise<IncomingMessage> {
  const asked = request(`${origin}/service/resources`, { headers: key, agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

/** Reads about 10 kB a second until `hurry` resolves. */
async function readSlowly(answer: IncomingMessage, hurry: Promise<unknown>): Promise<string> {
  let isOver = false;
  hurry.finally(() => (isOver = true)).catch(() => {});
  const parts: Buffer[] = [];
  while (!isOver) {
    const part = answer.read(1024) as Buffer | null;
    if (part) parts.push(part);
    await wait(100);
  }
  const rest = await text(answer);
  return Buffer.concat(parts).toString() + rest;
}

test('a long list is complete for slow readers during writes, with bounded memory and WAL', async () => {
  using folder = temporaryDataDir();
  const send = await prepared(folder.dataDir);
  await using server = send.server;
  const { origin, pid } = server;
  // proc(5): anonymous memory, without the database pages that SQLite maps. Not measured on other systems.
  const status = `/proc/${pid}/status`;
  const memory = () =>
    existsSync(status) ? Number(/RssAnon:\s+(\d+)/.exec(readFileSync(status, 'utf8'))![1]) * 1024 : 0;
  const log = () => statSync(join(folder.dataDir, 'swarmdeck.db-wal')).size;

  // The first whole list allocates memory that is kept.
  await text(await askForList({ origin, key: send.key }));
  const before = memory();
  const { promise: written, resolve: hurry } = Promise.withResolvers<void>();
  const answers = await Promise.all(Array.from({ length: 20 }, () => askForList({ origin, key: send.key })));
  const whole = answers.splice(0, 2).map((answer) => readSlowly(answer, written));

  let largestLog = 0;
  const { created, destroyed } = await writeAround({
    ...send,
    onTurn: () => (largestLog = Math.max(largestLog, log())),
  });
  expect(largestLog).toBeLessThan(24 * megabyte);
  // 20 lists of 48 MB in memory would be 960 MB. Measured: 184 to 356 MB, most of it garbage.
  expect(memory() - before).toBeLessThan(600 * megabyte);
  hurry();
  for (const answer of answers) answer.destroy();

  for (const body of await Promise.all(whole)) {
    const records = JSON.parse(body) as Resource[];
    const ids = records.map(({ id }) => id);
    const listed = new Set(ids);
    expect(listed.size).toBe(ids.length);
    expect(ids).toEqual(records.toSorted(byCreation).map(({ id }) => id));
    const throughout = Array.from({ length: rows }, (_, number) => idOf(number)).filter((id) => !destroyed.has(id));
    expect(throughout.filter((id) => !listed.has(id))).toEqual([]);
    const unknownIds = ids.filter((id) => !created.has(id) && !id.startsWith('019a0000-0000-7000-8000-'));
    expect(unknownIds).toEqual([]);
  }
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
});

async function prepared(dataDir: string) {
  const db = await openDatabase({ url: pathToFileURL(join(dataDir, 'swarmdeck.db')).href });
  await fill({ db, name: 'ann', count: rows });
  await db.close();
  const server = await startServer({ dataDir });
  const send = createSender(server.origin);
  const { entryPoints } = await createOwner({ send, name: 'ann' });
  return { server, send, key: entryPoints[0]!.headers };
}

/** Updates all over the list, more than the WAL may hold, with creations and deletions. */
async function writeAround({ send, key, onTurn }: { send: Send; key: Record<string, string>; onTurn: () => void }) {
  const created = new Set<string>();
  const destroyed = new Set<string>();
  const path = '/service/resources';
  for (let turn = 0; turn < 60; turn++) {
    const numbers = Array.from({ length: 50 }, (_, index) => ((turn * 50 + index) * 7919) % rows);
    const gone = numbers.filter((number) => number % 16 === 0).map(idOf);
    const answers = await Promise.all([
      ...numbers.map((number) => {
        const body = { description: String(turn).padEnd(1000, '.') };
        return number % 16 === 0 || send({ method: 'PUT', path: `${path}/${idOf(number)}`, headers: key, body });
      }),
      ...gone.map((id) => send({ method: 'DELETE', path: `${path}/${id}`, headers: key })),
      ...[1, 2, 3].map(async () => {
        const body = { name: `new ${turn}`, machine_type: 'bug' };
        const answer = await send({ method: 'POST', path, headers: key, body });
        created.add((JSON.parse(answer.body) as Resource).id);
        return answer;
      }),
    ]);
    expect(answers.filter((answer) => answer !== true && answer.status > 299)).toEqual([]);
    for (const id of gone) destroyed.add(id);
    onTurn();
  }
  return { created, destroyed };
}

function byCreation(a: Resource, b: Resource) {
  return a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id);
}

test('a list that fails in the middle is not valid JSON', async () => {
  // The adapter logs a broken stream to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await using server = await startHttpServer();
  const { entryPoints } = await createOwner({ send: createSender(server.url), name: 'ann' });
  await fill({ db: server.db, name: 'ann', count: 20_000 });
  const answer = await askForList({ origin: server.url, key: entryPoints[0]!.headers });
  const [first] = (await once(answer, 'data')) as [Buffer];
  answer.pause();
  await server.db.close();
  expect(answer.statusCode).toBe(200);
  let received = first.toString();
  answer.on('data', (chunk: Buffer) => (received += chunk.toString())).resume();
  await expect(once(answer, 'end')).rejects.toThrow('aborted');
  expect(answer.complete).toBe(false);
  expect(received.startsWith('[{"id":')).toBe(true);
  expect(() => JSON.parse(received) as unknown).toThrow(SyntaxError);
});
