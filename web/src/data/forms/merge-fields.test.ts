import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { deviceMerge, hasField, valuesOf, type DeviceValues } from './device-fields.ts';
import { createMerge, saveMerged } from './merge-fields.ts';
import { ProblemError } from '../problem.ts';

const { changed, isEqual, merge, resolve, toUpdate, fields } = deviceMerge;

const base: DeviceValues = {
  name: 'Sensor 3',
  machine_type: 'bug',
  description: 'bed 3',
  position: { latitude: 52.924, longitude: 12.296 },
  expected_every: undefined,
  keep_track: undefined,
  keep_values: undefined,
};

describe('merge', () => {
  it('merges a new name and a new position without a conflict', () => {
    const moved = { latitude: 53, longitude: 12 };
    const result = merge({ base, mine: { ...base, name: 'Sensor 4' }, theirs: { ...base, position: moved } });
    expect(result).toEqual({
      merged: { ...base, name: 'Sensor 4', position: moved },
      theirs: ['position'],
      conflicts: [],
    });
  });

  it('finds a field that both sides changed, with its value before', () => {
    const result = merge({ base, mine: { ...base, description: 'mine' }, theirs: { ...base, description: undefined } });
    expect(result.conflicts).toEqual([{ field: 'description', mine: 'mine', theirs: undefined, before: 'bed 3' }]);
    expect(result.merged.description).toBe('mine');
  });

  it('finds no conflict if both sides made the same change', () => {
    const same = { ...base, position: { latitude: 1, longitude: 2 } };
    expect(merge({ base, mine: same, theirs: { ...same, position: { ...same.position } } }).conflicts).toEqual([]);
  });

  it('treats a position as one field: a latitude and a longitude are a conflict', () => {
    const mine = { ...base, position: { latitude: 50, longitude: 12.296 } };
    const theirs = { ...base, position: { latitude: 52.924, longitude: 10 } };
    expect(merge({ base, mine, theirs }).conflicts.map((conflict) => conflict.field)).toEqual(['position']);
  });

  it('takes their value where the user chooses it, and keeps mine for other conflicts', () => {
    const mine = { ...base, name: 'Mine', description: 'mine' };
    const theirs: DeviceValues = { ...base, name: 'Theirs', description: 'theirs', machine_type: 'pc' };
    const resolved = resolve({ merge: merge({ base, mine, theirs }), theirs, choices: { name: 'theirs' } });
    expect(resolved).toEqual({ mine: { ...theirs, description: 'mine' }, taken: ['name'] });
  });

  it('loses no change of either side', () => {
    const values: fc.Arbitrary<DeviceValues> = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      machine_type: fc.constantFrom('pc', 'bug', 'smartphone'),
      description: fc.constantFrom(undefined, '', 'x'),
      position: fc.constantFrom(undefined, { latitude: 1, longitude: 1 }, { latitude: 1, longitude: 2 }),
      expected_every: fc.constantFrom(undefined, 60, 3600),
      keep_track: fc.constantFrom(undefined, true, false),
      keep_values: fc.constantFrom(undefined, 'sent_at' as const, 'time' as const),
    });
    fc.assert(
      fc.property(values, values, values, (before, mine, theirs) => {
        const result = merge({ base: before, mine, theirs });
        for (const field of fields) {
          const owner = isEqual(field, before, mine) ? theirs : mine;
          expect(isEqual(field, result.merged, owner)).toBe(true);
          const both = !isEqual(field, before, mine) && !isEqual(field, before, theirs);
          const conflict = result.conflicts.some((one) => one.field === field);
          expect(conflict).toBe(both && !isEqual(field, mine, theirs));
        }
      }),
    );
  });
});

describe('the body of an update', () => {
  it('contains only what changed, and null for what was cleared', () => {
    const mine = { ...base, name: 'New', description: undefined };
    expect(changed({ base, mine })).toEqual(['name', 'description']);
    expect(toUpdate({ base, mine })).toEqual({ name: 'New', description: null });
  });

  it('is empty when nothing changed', () => {
    expect(toUpdate({ base, mine: { ...base, position: { latitude: 52.924, longitude: 12.296 } } })).toEqual({});
  });
});

test('the values that changed, and values with some fields of others', () => {
  const mine = { ...base, name: 'Mine', description: 'mine' };
  expect(deviceMerge.mineOf({ base, mine })).toEqual({ name: 'Mine', description: 'mine' });
  expect(deviceMerge.take(base, mine, ['name'])).toEqual({ ...base, name: 'Mine' });
});

const start: Resource = {
  id: 'r1',
  user_id: 'me',
  name: 'Sensor',
  machine_type: 'bug',
  position: { latitude: 1, longitude: 1 },
  created_at: '2026-01-02T03:04:05.678Z',
};
const outdated = new ProblemError({
  problem: { type: '', title: '', status: 412, detail: '', code: 'precondition.failed', request_id: '' },
});

/** A server with one resource. `meanwhile` runs before each write, as another client would. */
function server(meanwhile: (change: (update: Partial<Resource>) => void, writes: number) => void = () => undefined) {
  let stored = start;
  let version = 1;
  const sent: object[] = [];
  const change = (update: object) => {
    stored = { ...stored, ...update };
    version += 1;
  };
  const answer = () => ({ resource: stored, etag: `"${version}"`, at: start.created_at });
  return {
    sent,
    stored: () => stored,
    client: {
      fields: deviceMerge,
      base: valuesOf(start),
      valuesOf: ({ resource }: { resource: Resource; etag: string }) => valuesOf(resource),
      etag: '"1"',
      read: async () => answer(),
      write: async ({ body, etag }: { body: object; etag: string | null }) => {
        meanwhile(change, sent.push(body));
        if (etag !== `"${version}"`) throw outdated;
        change(body);
        return answer();
      },
    },
  };
}

describe('saving', () => {
  it('sends only what changed', async () => {
    const { client, sent, stored } = server();
    const result = await saveMerged({ ...client, mine: { ...client.base, name: 'New' } });
    expect(result.kind).toBe('saved');
    expect(sent).toEqual([{ name: 'New' }]);
    expect(stored().name).toBe('New');
  });

  it('keeps a new name and the new positions of a device that moves between the attempts', async () => {
    const { client, sent, stored } = server((change, writes) => {
      if (writes <= 5) change({ position: { latitude: writes + 1, longitude: 1 } });
    });
    const result = await saveMerged({ ...client, mine: { ...client.base, name: 'New' } });
    expect(result.kind).toBe('saved');
    expect(sent).toHaveLength(6);
    expect(sent.every((body) => Object.keys(body).join() === 'name')).toBe(true);
    expect(stored()).toMatchObject({ name: 'New', position: { latitude: 6 } });
  });

  it('returns a conflict if both sides changed the same field', async () => {
    const { client, stored } = server(
      (change, writes) => writes === 1 && change({ name: 'Theirs', description: 'new' }),
    );
    const result = await saveMerged({ ...client, mine: { ...client.base, name: 'Mine' } });
    if (result.kind !== 'conflict') throw new Error('saved');
    expect(result.merge.conflicts).toEqual([{ field: 'name', mine: 'Mine', theirs: 'Theirs', before: 'Sensor' }]);
    expect(result.merge.theirs).toEqual(['description']);
    expect(stored().name).toBe('Theirs');
  });

  it('sends nothing more if they made the same change', async () => {
    const { client, sent } = server((change, writes) => writes === 1 && change({ name: 'Same' }));
    const result = await saveMerged({ ...client, mine: { ...client.base, name: 'Same' } });
    expect(result.kind).toBe('saved');
    expect(sent).toHaveLength(1);
  });

  it('throws the error if the device changes before every attempt', async () => {
    const { client, sent } = server((change) => change({ description: Math.random().toString() }));
    await expect(saveMerged({ ...client, mine: { ...client.base, name: 'New' } })).rejects.toBe(outdated);
    expect(sent).toHaveLength(50);
  });

  it('reads first if it has no version, and writes on what is there now', async () => {
    const { client, sent, stored } = server();
    const result = await saveMerged({ ...client, etag: null, mine: { ...client.base, name: 'New' } });
    expect(result.kind).toBe('saved');
    expect(sent).toEqual([{ name: 'New' }]);
    expect(stored().name).toBe('New');
  });

  it('writes nothing if nothing has changed, and returns what is there now', async () => {
    const { client, sent } = server();
    const result = await saveMerged({ ...client, mine: client.base });
    expect([result, sent]).toMatchObject([{ kind: 'saved', read: { resource: { name: 'Sensor' } } }, []]);
  });

  it.each([
    ['of another kind', new Error('away')],
    ['of the server', new ProblemError({ problem: { ...outdated.problem, status: 422, code: 'body.invalid' } })],
  ])('throws errors %s, after one attempt', async (_, error) => {
    const { client } = server();
    const write = vi.fn<() => Promise<never>>(() => Promise.reject(error));
    const mine = { ...client.base, name: 'New' };
    await expect(saveMerged({ ...client, write, mine })).rejects.toBe(error);
    expect(write).toHaveBeenCalledOnce();
  });
});

test('after a conflict, saving with their version as the base keeps mine', async () => {
  const { client, stored } = server((change, writes) => writes === 1 && change({ name: 'Theirs' }));
  const mine = { ...client.base, name: 'Mine' };
  const result = await saveMerged({ ...client, mine });
  if (result.kind !== 'conflict') throw new Error('saved');
  const again = { ...client, base: valuesOf(result.theirs.resource), etag: result.theirs.etag };
  expect((await saveMerged({ ...again, mine })).kind).toBe('saved');
  expect(stored().name).toBe('Mine');
});

test('fields are compared by identity if nothing else is declared', () => {
  const { merge: mergeSwarm } = createMerge<{ name: string; public: boolean }>({ name: {}, public: {} });
  const before = { name: 'Harbour', public: false };
  const merged = mergeSwarm({ base: before, mine: { ...before, name: 'Quay' }, theirs: { ...before, public: true } });
  expect(merged).toEqual({ merged: { name: 'Quay', public: true }, theirs: ['public'], conflicts: [] });
});

test('a file contains a field if it has one of its columns', () => {
  expect(hasField('position', ['name', 'latitude'])).toBe(true);
  expect(hasField('position', ['name', 'description'])).toBe(false);
});
