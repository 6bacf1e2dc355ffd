import { expect, test } from 'vitest';
import type { Resource } from '../contract.ts';
import { Problem } from '../problem.ts';
import { StorageError } from '../store/statement.ts';
import { signUpClient } from '../tests/service-client.fixture.ts';
import { createTestServer } from '../tests/test-server.fixture.ts';
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
  const { startImport, readImport, endImport } = server.app.operator;
  // The action goes on while the storage is away for a moment.
  const faults = {
    read: [new StorageError('away', 'busy'), new Problem('storage.away')],
    end: [new Problem('storage.away')],
  };
  const failing = async <Result>(fault: Error | undefined, run: () => Promise<Result>) => {
    if (fault) throw fault;
    return run();
  };
  const operator = {
    startImport,
    readImport: (given: Parameters<typeof readImport>[0]) => failing(faults.read.pop(), () => readImport(given)),
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
  expect(faults).toEqual({ read: [], end: [] });
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress).toEqual(expect.arrayContaining([3, 4]));
  expect(failed).toEqual([expect.stringContaining(`line 3: "old": was changed after the export, at ${changedAt}`)]);
  const names = new Map((await list()).map(({ id, name }) => [id, name]));
  expect([shown, edited, same, free].map(({ id }) => names.get(id))).toEqual(['old', 'newer', 'newer', 'old']);
});
