// stores: SQLite, PostgreSQL in the long run
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import type { DeviceRecord } from './device-import.ts';
import { Problem } from '../../core/problem.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { StorageError } from '../../core/store/statement.ts';
import { signUpClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';
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

type Options = Parameters<typeof importDevices>[0];

/** Imports these records for ann, by the operator with these functions replaced. */
async function importRecords(
  { app: { operator } }: TestServer,
  records: Iterable<DeviceRecord>,
  replaced: Partial<Options['operator']>,
) {
  const failed: string[] = [];
  const counts = await importDevices({
    operator: { ...operator, ...replaced },
    user: 'ann',
    about: { file: 'a.csv', hash: 'a' },
    records: Readable.from(records),
    onFailed: (line) => failed.push(line),
    onProgress: () => {},
  });
  return { counts, failed };
}

/** Lines of a file with so many new devices. */
const newLamps = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ line: n + 2, row: { name: `Lamp ${n}`, machine_type: 'pc' as const } }));

test('the items of the operator’s import come in parts, of which none holds others up, and are one action', async () => {
  await using server = await createTestServer();
  const { get } = await signUpClient(server, 'ann');
  const parts: number[] = [];
  const { counts } = await importRecords(server, newLamps(2 * actionLimits.part + 200), {
    putImportPart(given) {
      parts.push(given.items.length);
      return server.app.operator.putImportPart(given);
    },
  });
  expect(counts).toEqual({ stored: 1200, updated: 0, failed: 0 });
  expect(parts).toEqual([500, 500, 200]);
  expect(await get<Resource[]>('/resources')).toHaveLength(1200);
});

test('an import of which a part is refused leaves no action', async () => {
  await using server = await createTestServer();
  await signUpClient(server, 'ann');
  const { operator } = server.app;
  const stopped: string[] = [];
  const importing = importRecords(server, newLamps(1), {
    putImportPart: () => Promise.reject(new Problem('action.too_many_items')),
    stopImport(given) {
      stopped.push(given.id);
      return operator.stopImport(given);
    },
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
  const lamps = newLamps(2 * actionLimits.part + 200);
  const ofNobody = lamps.map((lamp) => ({ ...lamp, update: { id: randomUUID(), change: { name: lamp.row.name } } }));
  const parts: number[] = [];
  const { counts, failed } = await importRecords(server, ofNobody, {
    async readFailedLines(given) {
      const answer = await server.app.operator.readFailedLines(given);
      parts.push(answer.failed.length);
      return answer;
    },
  });
  expect(counts).toEqual({ stored: 0, updated: 0, failed: lamps.length });
  expect(parts).toEqual([500, 500, 200]);
  expect(new Set(failed)).toHaveLength(lamps.length);
});

test('lines that an import has not reached, because its user has stopped it, have failed', async () => {
  await using server = await createTestServer();
  const { get } = await signUpClient(server, 'ann');
  const { operator } = server.app;
  const lamps = newLamps(30 * actionLimits.part);
  const { counts, failed } = await importRecords(server, lamps, {
    async startImport(given) {
      const started = await operator.startImport(given);
      await operator.stopImport(given);
      return started;
    },
  });
  const stored = (await get<Resource[]>('/resources')).length;
  expect(counts).toEqual({ stored, updated: 0, failed: lamps.length - stored });
  expect(counts.failed).toBeGreaterThan(0);
  expect(failed).toHaveLength(counts.failed);
  const { line, row } = lamps.at(-1)!;
  expect(failed.at(-1)).toBe(`line ${line}: "${row.name}": not imported, because the import was stopped`);
});
