/** The disk fails while the server runs: writes fail, reads continue, and it needs no restart. Nothing acknowledged is lost. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem, Resource } from '../contract.ts';
import { createOwner } from './durability.fixture.ts';
import { createSender, long, recordFigure, startServer, temporaryDataDir } from './process.fixture.ts';

const rounds = long ? 50 : 2;

test('while the disk has I/O errors, writes fail with 503; afterwards they work again', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer(folder);
  const send = createSender(server.origin);
  const { headers } = (await createOwner({ send, name: 'ann' })).entryPoints[0]!;
  const stored = new Map<string, Resource>();
  let refused = 0;
  /** Whether each of these writes was acknowledged. Any other failure than `storage.away` fails the test. */
  const write = (name: string) =>
    Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const body = { name: `${name} ${index}`, machine_type: 'bug', description: 'x'.repeat(2000) };
        const answer = await send({ method: 'POST', path: '/service/resources', headers, body });
        if (answer.status === 201) {
          const record = JSON.parse(answer.body) as Resource;
          stored.set(record.id, record);
          return true;
        }
        expect([answer.status, (JSON.parse(answer.body) as Problem).code]).toEqual([503, 'storage.away']);
        refused += 1;
        return false;
      }),
    );
  const list = async () => JSON.parse((await send({ path: '/service/resources', headers })).body) as Resource[];

  for (let round = 0; round < rounds; round++) {
    // a write beyond this size of the log fails with EFBIG, which is an I/O error for SQLite
    limitFiles(server.pid, String(statSync(join(folder.dataDir, 'swarmdeck.db-wal')).size));
    await expect.poll(async () => (await write(`during ${round}`)).includes(false)).toBe(true);
    expect((await list()).length).toBe(stored.size);
    expect(await send({ path: '/readyz' })).toMatchObject({ status: 200 });
    limitFiles(server.pid, 'unlimited');
    expect(await write(`after ${round}`)).not.toContain(false);
  }
  recordFigure(`I/O errors, ${rounds} times: ${stored.size} writes acknowledged, ${refused} failed, none lost`);

  await server.end('SIGKILL');
  await using again = await startServer(folder);
  const found = await createSender(again.origin)({ path: '/service/resources', headers });
  expect(new Map((JSON.parse(found.body) as Resource[]).map((record) => [record.id, record]))).toEqual(stored);
});

function limitFiles(pid: number, bytes: string) {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}
