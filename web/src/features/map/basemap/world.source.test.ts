import { afterEach, describe, expect, it, vi } from 'vitest';
import { worldSize, worldX, worldY } from '../geometry/mercator.ts';
import { createWorldCells } from './world.cells.ts';
import { createWorldSource } from './world.source.ts';
import type { World } from './world.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Loads that the test resolves. */
function loads() {
  const requested: string[] = [];
  const settle = new Map<string, { come: (world: World | null) => void; fail: () => void }>();
  const load = <Found extends World | null>(file: string) =>
    new Promise<Found>((resolve, reject) => {
      requested.push(file);
      settle.set(file, { come: (found) => resolve(found as Found), fail: () => reject(new Error('no network')) });
    });
  const create = () =>
    createWorldSource({
      load: (file) => load<World>(file),
      loadCells: async (kind) => createWorldCells((cell) => load(`${kind} ${cell}`)),
    });
  return { requested, settle, create };
}

const world = (name: string) => ({ names: [{ name, x: 0, y: 0, room: 0 }] }) as unknown as World;

describe('the world source', () => {
  it('returns the coarse world until the fine one is loaded, and fetches each once', async () => {
    const { requested, settle, create } = loads();
    const source = create();
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    expect(source.at(5)).toBeNull();
    expect(source.at(5)).toBeNull();
    expect(requested).toEqual(['110m', '50m']);

    const [coarse, fine] = [world('coarse'), world('fine')];
    settle.get('110m')!.come(coarse);
    await vi.waitFor(() => expect(source.at(5)).toBe(coarse));
    settle.get('50m')!.come(fine);
    await vi.waitFor(() => expect(source.at(5)).toBe(fine));
    expect(source.at(2)).toBe(coarse);
    expect(listener).toHaveBeenCalledTimes(2);
    expect(requested).toEqual(['110m', '50m']);
  });

  /** A frame of two cells: west and east of 10 degrees. */
  const scale = worldSize(9);
  const frame = { scale, left: worldX(10) * scale - 500, top: worldY(54) * scale - 500, width: 1000, height: 1000 };

  it('returns the cells of a part of the map once they are loaded, and coarse land until then', async () => {
    const { requested, settle, create } = loads();
    const source = create();
    expect(source.within(9, frame)).toEqual([]);
    await vi.waitFor(() => {
      source.within(9, frame);
      expect(requested).toEqual(['110m', 'land 522', 'land 523']);
    });
    const [coarse, west] = [world('coarse'), world('west')];
    settle.get('110m')!.come(coarse);
    await vi.waitFor(() => expect(source.within(9, frame)).toEqual([coarse]));
    settle.get('land 522')!.come(west);
    expect(source.within(9, frame)).toEqual([coarse]);
    // one without land
    settle.get('land 523')!.come(null);
    await vi.waitFor(() => expect(source.within(9, frame)).toEqual([west]));
    expect(requested).toEqual(['110m', 'land 522', 'land 523']);
  });

  it('shows finer land than the coarsest where a cell cannot be loaded', async () => {
    const { requested, settle, create } = loads();
    const source = create();
    await vi.waitFor(() => {
      source.within(9, frame);
      expect(settle.has('land 522')).toBe(true);
    });
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    settle.get('land 522')!.fail();
    await vi.waitFor(() => expect(listener).toHaveBeenCalled());
    source.within(9, frame);
    expect(requested).toContain('50m');
    const fine = world('fine');
    settle.get('50m')!.come(fine);
    await vi.waitFor(() => expect(source.within(9, frame)).toEqual([fine]));
  });

  it('fetches lakes and rivers after the first land', async () => {
    const { requested, settle, create } = loads();
    const source = create();
    source.at(2);
    expect(source.watersWithin(2, frame)).toEqual([]);
    expect(requested).toEqual(['110m']);
    settle.get('110m')!.come(world('coarse'));
    await vi.waitFor(() => expect(source.at(2)).not.toBeNull());
    expect(source.watersWithin(2, frame)).toEqual([]);
    expect(requested).toEqual(['110m', 'water']);
    settle.get('water')!.come({ land: 'the lakes', borders: 'the rivers' } as unknown as World);
    await vi.waitFor(() =>
      expect(source.watersWithin(2, frame)).toEqual([{ lakes: 'the lakes', rivers: 'the rivers' }]),
    );
  });

  it('retries some time after a failure', async () => {
    vi.useFakeTimers();
    const { requested, settle, create } = loads();
    const source = create();
    source.at(0);
    settle.get('110m')!.fail();
    await vi.advanceTimersByTimeAsync(1_000);
    source.at(0);
    expect(requested).toEqual(['110m']);
    await vi.advanceTimersByTimeAsync(10_000);
    source.at(0);
    expect(requested).toEqual(['110m', '110m']);
  });
});
