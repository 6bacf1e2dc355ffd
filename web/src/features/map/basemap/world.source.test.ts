import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorldSource, detailFor, type WorldFile } from './world.source.ts';
import type { World } from './world.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Loads that the test resolves. */
function loads() {
  const requested: WorldFile[] = [];
  const settle = new Map<WorldFile, { come: (world: World) => void; fail: () => void }>();
  const load = (detail: WorldFile) =>
    new Promise<World>((resolve, reject) => {
      requested.push(detail);
      settle.set(detail, { come: resolve, fail: () => reject(new Error('no network')) });
    });
  return { requested, settle, load };
}

const world = (name: string) => ({ names: [{ name, x: 0, y: 0, room: 0 }] }) as unknown as World;

describe('the world source', () => {
  it('selects more detail at higher zoom', () => {
    expect([0, 3, 4, 6, 7, 18].map(detailFor)).toEqual(['110m', '110m', '50m', '50m', '10m', '10m']);
  });

  it('returns the coarse world until the fine one is loaded, and fetches each once', async () => {
    const { requested, settle, load } = loads();
    const source = createWorldSource({ load });
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

  it('also fetches medium detail at a high zoom, because it loads sooner', () => {
    const { requested, load } = loads();
    createWorldSource({ load }).at(12);
    expect(requested).toEqual(['110m', '50m', '10m']);
  });

  it('fetches lakes and rivers after the first land', async () => {
    const { requested, settle, load } = loads();
    const source = createWorldSource({ load });
    source.at(2);
    expect(source.waters()).toBeNull();
    expect(requested).toEqual(['110m']);
    settle.get('110m')!.come(world('coarse'));
    await vi.waitFor(() => expect(source.at(2)).not.toBeNull());
    expect(source.waters()).toBeNull();
    expect(requested).toEqual(['110m', 'water']);
    settle.get('water')!.come({ land: 'the lakes', borders: 'the rivers' } as unknown as World);
    await vi.waitFor(() => expect(source.waters()).toEqual({ lakes: 'the lakes', rivers: 'the rivers' }));
  });

  it('retries some time after a failure', async () => {
    vi.useFakeTimers();
    const { requested, settle, load } = loads();
    const source = createWorldSource({ load });
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
