import type { Resource, ResourceUpdate } from '@swarmdeck/bff/contract';
import { describe, expect, it } from 'vitest';
import { valuesOf } from '../form/device-merge.ts';
import { saveDevice } from './device-save.ts';

const start: Resource = {
  id: 'r1',
  user_id: 'me',
  name: 'Sensor',
  machine_type: 'bug',
  position: { latitude: 1, longitude: 1 },
  created_at: '2026-01-02T03:04:05.678Z',
};
class Moved extends Error {}

/** A server that holds one resource; `meanwhile` runs before each write, as another client would. */
function server(meanwhile: (change: (update: Partial<Resource>) => void, writes: number) => void = () => undefined) {
  let stored = start;
  let version = 1;
  const sent: ResourceUpdate[] = [];
  const change = (update: object) => {
    stored = { ...stored, ...update };
    version += 1;
  };
  const answer = () => ({ resource: stored, etag: `"${version}"`, at: start.created_at });
  return {
    sent,
    stored: () => stored,
    client: {
      base: valuesOf(start),
      etag: '"1"',
      read: async () => answer(),
      write: async ({ body, etag }: { body: ResourceUpdate; etag: string | null }) => {
        meanwhile(change, sent.push(body));
        if (etag !== `"${version}"`) throw new Moved();
        change(body);
        return answer();
      },
      isMoved: (error: unknown) => error instanceof Moved,
    },
  };
}

describe('saving', () => {
  it('sends only what changed', async () => {
    const { client, sent, stored } = server();
    const result = await saveDevice({ ...client, mine: { ...client.base, name: 'New' } });
    expect(result.kind).toBe('saved');
    expect(sent).toEqual([{ name: 'New' }]);
    expect(stored().name).toBe('New');
  });

  it('keeps a rename and every move of a device that moves between the tries', async () => {
    const { client, sent, stored } = server((change, writes) => {
      if (writes <= 5) change({ position: { latitude: writes + 1, longitude: 1 } });
    });
    const result = await saveDevice({ ...client, mine: { ...client.base, name: 'New' } });
    expect(result.kind).toBe('saved');
    expect(sent).toHaveLength(6);
    expect(sent.every((body) => Object.keys(body).join() === 'name')).toBe(true);
    expect(stored()).toMatchObject({ name: 'New', position: { latitude: 6 } });
  });

  it('stops and asks when the same field changed on both sides', async () => {
    const { client, stored } = server(
      (change, writes) => writes === 1 && change({ name: 'Theirs', description: 'new' }),
    );
    const result = await saveDevice({ ...client, mine: { ...client.base, name: 'Mine' } });
    if (result.kind !== 'conflict') throw new Error('saved');
    expect(result.merge.conflicts).toEqual([{ field: 'name', mine: 'Mine', theirs: 'Theirs', before: 'Sensor' }]);
    expect(result.merge.kept).toEqual(['description']);
    expect(stored().name).toBe('Theirs');
  });

  it('sends nothing more when they made the same change', async () => {
    const { client, sent } = server((change, writes) => writes === 1 && change({ name: 'Same' }));
    const result = await saveDevice({ ...client, mine: { ...client.base, name: 'Same' } });
    expect(result.kind).toBe('saved');
    expect(sent).toHaveLength(1);
  });

  it('gives up with the refusal when the device never stands still', async () => {
    const { client, sent } = server((change) => change({ description: Math.random().toString() }));
    await expect(saveDevice({ ...client, mine: { ...client.base, name: 'New' } })).rejects.toBeInstanceOf(Moved);
    expect(sent).toHaveLength(50);
  });

  it('does not hide other refusals', async () => {
    const { client } = server(() => {
      throw new Error('away');
    });
    await expect(saveDevice({ ...client, mine: { ...client.base, name: 'New' } })).rejects.toThrow('away');
  });
});
