import type { LeafletEvent, LeafletEventHandlerFnMap, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';

/**
 * Adds the latest handlers to a map that is a sibling of the component. It does not remove them between renders,
 * because events of other effects would be lost.
 */
export function useLeafletEvents(map: LeafletMap | null, handlers: LeafletEventHandlerFnMap): void {
  const handle = useEffectEvent((event: LeafletEvent) => {
    const handler = handlers[event.type as keyof LeafletEventHandlerFnMap] as
      | ((event: LeafletEvent) => void)
      | undefined;
    handler?.(event);
  });
  const types = Object.keys(handlers).toSorted().join(' ');
  useEffect(() => {
    if (map === null || types === '') return undefined;
    const listener = (event: LeafletEvent) => handle(event);
    map.on(types, listener);
    return () => {
      map.off(types, listener);
    };
  }, [map, types]);
}
