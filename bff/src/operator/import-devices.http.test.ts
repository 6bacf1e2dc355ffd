import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import { Problem } from '../problem.ts';
import { actionLimits } from '../limits/field-rules.ts';
import { StorageError } from '../store/statement.ts';
import { signUpClient } from '../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../tests/test-server.fixture.ts';
import { importDevices } from './import-devices.ts';

test('the operator’s import in parts leaves a device as it is that was changed after the time in the file', async () => {
  await using server = await createTestServer();
  const { request, device: create, get } = await signUpClient(server, 'ann');
  const list = () => get<Resource[]>('/resources');
  const [shown, edited, same, free] = await Promise.all([create(), create(), create(), create()]);
  server.wait(1000);
  for (const { id } of [edited, same, free]) {
    const answer = await request({ method: 'PUT', path: `/resources/${id}`, body: { name: 'newer' } });
    expect(answer.status).toBe(200);
  }
  const update = ({ id, created_at: changedAt }: Resource, name: string) => ({ id, change: { name }, changedAt });
  const listed = new Map((await list()).map((device) => [device.id, device]));
  const changedAt = listed.get(edited.id)?.modified_at;
  async function* records() {
    const updates = [update(shown, 'old'), update(edited, 'old'), update(same, 'newer')];
    for (const [index, each] of [...updates, { id: free.id, change: { name: 'old' } }].entries())
      yield { line: index + 2, row: { name: each.change.name, machine_type: 'pc' as const }, update: each };
  }
  const failed: string[] = [];
  const progress: number[] = [];
  const { readImport, readFailedLines, endImport, ...rest } = server.app.operator;
  // The action goes on while the storage is away for a moment.
  const faults = {
    read: [new StorageError('away', 'busy'), new Problem('storage.away')],
    failed: [new Problem('storage.away')],
    end: [new Problem('storage.away')],
  };
  const failing = async <Result>(fault: Error | undefined, run: () => Promise<Result>) => {
    if (fault) throw fault;
    return run();
  };
  const operator = {
    ...rest,
    readImport: (given: Parameters<typeof readImport>[0]) => failing(faults.read.pop(), () => readImport(given)),
    readFailedLines: (given: Parameters<typeof readFailedLines>[0]) =>
      failing(faults.failed.pop(), () => readFailedLines(given)),
    endImport: (given: Parameters<typeof endImport>[0]) => failing(faults.end.pop(), () => endImport(given)),
  };
  const counts = await importDevices({
    operator,
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: records(),
    onFailed: (line) => failed.push(line),
    onProgress: (done) => progress.push(done),
    atOnce: 3,
  });
  expect(counts).toEqual({ stored: 0, updated: 3, failed: 1 });
  expect(faults).toEqual({ read: [], failed: [], end: [] });
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress).toEqual(expect.arrayContaining([3, 4]));
  expect(failed).toEqual([expect.stringContaining(`line 3: "old": was changed after the export, at ${changedAt}`)]);
  const names = new Map((await list()).map(({ id, name }) => [id, name]));
  expect([shown, edited, same, free].map(({ id }) => names.get(id))).toEqual(['old', 'newer', 'newer', 'old']);
});

/** Imports so many devices, in parts that are counted. */
async function importCounted(server: TestServer, { count, length = 10 }: { count: number; length?: number }) {
  const { operator } = server.app;
  const parts: number[] = [];
  async function* records() {
    for (let n = 0; n < count; n++)
      yield { line: n + 2, row: { name: `Lamp ${n}`, machine_type: 'pc' as const, description: 'x'.repeat(length) } };
  }
  const counts = await importDevices({
    operator: {
      ...operator,
      putImportPart(given) {
        parts.push(given.items.length);
        return operator.putImportPart(given);
      },
    },
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: records(),
    onFailed: () => {},
    onProgress: () => {},
  });
  return { parts, counts };
}

test('the items of the operator’s import come in parts, of which none holds others up, and are one action', async () => {
  await using server = await createTestServer();
  const { get } = await signUpClient(server, 'ann');
  const { parts, counts } = await importCounted(server, { count: 2 * actionLimits.part + 200 });
  expect(counts).toEqual({ stored: 1200, updated: 0, failed: 0 });
  expect(parts).toEqual([500, 500, 200]);
  expect(await get<Resource[]>('/resources')).toHaveLength(1200);
});

test('an import of which a part is refused leaves no action', async () => {
  await using server = await createTestServer();
  await signUpClient(server, 'ann');
  const { operator } = server.app;
  const stopped: string[] = [];
  async function* records() {
    yield { line: 2, row: { name: 'Lamp', machine_type: 'pc' as const } };
  }
  const importing = importDevices({
    operator: {
      ...operator,
      putImportPart: () => Promise.reject(new Problem('action.too_many_items')),
      stopImport(given) {
        stopped.push(given.id);
        return operator.stopImport(given);
      },
    },
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: records(),
    onFailed: () => {},
    onProgress: () => {},
  });
  await expect(importing).rejects.toMatchObject({ code: 'action.too_many_items' });
  expect(stopped).toHaveLength(1);
  await expect(operator.readImport({ user: 'ann', id: stopped[0]! })).rejects.toMatchObject({
    code: 'action.not_found',
  });
});

test('the failed lines of the operator’s import come in parts, of which none holds others up', async () => {
  await using server = await createTestServer();
  await signUpClient(server, 'ann');
  const { operator } = server.app;
  const count = 2 * actionLimits.part + 200;
  async function* records() {
    for (let n = 0; n < count; n++) {
      const name = `Lamp ${n}`;
      const update = { id: randomUUID(), change: { name } };
      yield { line: n + 2, row: { name, machine_type: 'pc' as const }, update };
    }
  }
  const parts: number[] = [];
  const failed: string[] = [];
  const counts = await importDevices({
    operator: {
      ...operator,
      async readFailedLines(given) {
        const answer = await operator.readFailedLines(given);
        parts.push(answer.failed.length);
        return answer;
      },
    },
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: records(),
    onFailed: (line) => failed.push(line),
    onProgress: () => {},
  });
  expect(counts).toEqual({ stored: 0, updated: 0, failed: count });
  expect(parts).toEqual([500, 500, 200]);
  expect(new Set(failed)).toHaveLength(count);
});

test('lines that an import has not reached, because its user has stopped it, have failed', async () => {
  await using server = await createTestServer();
  const { get } = await signUpClient(server, 'ann');
  const { operator } = server.app;
  const count = 30 * actionLimits.part;
  async function* records() {
    for (let n = 0; n < count; n++) yield { line: n + 2, row: { name: `Lamp ${n}`, machine_type: 'pc' as const } };
  }
  const failed: string[] = [];
  const counts = await importDevices({
    operator: {
      ...operator,
      async startImport(given) {
        const started = await operator.startImport(given);
        await operator.stopImport(given);
        return started;
      },
    },
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: records(),
    onFailed: (line) => failed.push(line),
    onProgress: () => {},
  });
  const stored = (await get<Resource[]>('/resources')).length;
  expect(counts).toEqual({ stored, updated: 0, failed: count - stored });
  expect(counts.failed).toBeGreaterThan(0);
  expect(failed).toHaveLength(counts.failed);
  expect(failed.at(-1)).toBe(`line ${count + 1}: "Lamp ${count - 1}": not imported, because the import was stopped`);
});
