import { useCallback, useMemo } from 'react';
import { readMapPlace } from '../../ui/map-place.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { readLayers, writeLayers } from './wall-layers.ts';
import type { Layers } from './wall-layers.ts';

/** A wall shows what its URL says: a browser that starts anew in the night shows the same in the morning. */
export function useWallUrl() {
  const [params, setParams] = useSearchParams();
  const write = useCallback(
    (change: (params: URLSearchParams) => URLSearchParams) => {
      const now = new URLSearchParams(globalThis.location.search);
      const before = now.toString();
      const next = change(now);
      if (next.toString() !== before) setParams(next, { replace: true });
    },
    [setParams],
  );
  const set = useCallback(
    (values: Record<string, string | null>) =>
      write((now) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) now.delete(name);
          else now.set(name, value);
        }
        return now;
      }),
    [write],
  );
  const text = params.toString();
  const layers = useMemo(() => readLayers(new URLSearchParams(text)), [text]);
  const selected = params.get('sel');
  return {
    layers,
    setLayers: useCallback((next: Layers) => write((now) => writeLayers(now, next)), [write]),
    mapPlace: readMapPlace(params.get('map')),
    mapText: params.get('map'),
    setMap: useCallback((map: string) => set({ map }), [set]),
    selected,
    select: useCallback((id: string | null) => set({ sel: id, follow: null }), [set]),
    following: selected !== null && params.get('follow') === '1',
    follow: useCallback((on: boolean) => set({ follow: on ? '1' : null }), [set]),
    byChange: params.get('colour') === 'changed',
    setByChange: useCallback((on: boolean) => set({ colour: on ? 'changed' : null }), [set]),
  };
}

export type WallUrl = ReturnType<typeof useWallUrl>;
