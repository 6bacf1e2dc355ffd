import type { LeafletEventHandlerFnMap, Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';

/** Listens to a map that stands beside its component in the tree, with the handlers of the latest render. */
export function useLeafletEvents(map: LeafletMap | null, handlers: LeafletEventHandlerFnMap): void {
  useEffect(() => {
    map?.on(handlers);
    return () => {
      map?.off(handlers);
    };
  });
}
