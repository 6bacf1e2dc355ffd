import type { LeafletEvent, LeafletEventHandlerFnMap, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';

/**
 * Listens to a map that stands beside its component in the tree, with the handlers of the latest render. It never stops
 * for a moment in between: what effects of other components do to the map would be missed.
 */
export function useLeafletEvents(map: LeafletMap | null, handlers: LeafletEventHandlerFnMap): void {
  const hear = useEffectEvent((event: LeafletEvent) => {
    const handler = handlers[event.type as keyof LeafletEventHandlerFnMap] as
      | ((event: LeafletEvent) => void)
      | undefined;
    handler?.(event);
  });
  const types = Object.keys(handlers).toSorted().join(' ');
  useEffect(() => {
    if (map === null || types === '') return undefined;
    const listener = (event: LeafletEvent) => hear(event);
    map.on(types, listener);
    return () => {
      map.off(types, listener);
    };
  }, [map, types]);
}
