import { createContext, use, useEffect, useEffectEvent } from 'react';
import type { Insets } from './geometry/view.ts';
import type { MapSummary } from './map.api.ts';

/** What the children of a map of devices know of it, beside the map of Leaflet (`useMap`). */
interface ShownMap {
  insets: Insets;
  /** The devices that it shows. Null until they are known. */
  view: MapSummary | null;
  isPlacing: boolean;
  /** Calls the listener when a button or a search moves the map. Returns a function that ends it. */
  onMoved(listener: () => void): () => void;
}

export const DeviceMapContext = createContext<ShownMap | null>(null);

/** The map of devices around this part. */
export function useDeviceMap(): ShownMap {
  const shown = use(DeviceMapContext);
  if (!shown) throw new Error('useDeviceMap has no map here');
  return shown;
}

/** Reports the number of devices on the map, inside and outside the view, whenever it has changed. */
export function PlacedCount({ onCount }: { onCount(placed: number): void }): null {
  const { view } = useDeviceMap();
  const placed = view && view.total - view.unplaced;
  const report = useEffectEvent(onCount);
  useEffect(() => {
    if (placed !== null) report(placed);
  }, [placed]);
  return null;
}
