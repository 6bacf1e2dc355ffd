import { useRef, useState } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import type { Bbox } from '../../../data/filter-params.ts';
import {
  goTo,
  isInside,
  NEAR,
  useMapUrlView,
  writeMapView,
  type MapHandle,
  type SettledView,
} from '../../../ui/urls/map-view-url.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';

/** A view of the map; `bbox` is its free part. */
type HomeView = SettledView & { bbox: Bbox; isEmpty: boolean };

/** The minimum zoom when the map moves to a selected device, because it could not be found on a map of the world. */
const nearestLook = 5;
/** The one for the first device with a position: no other shows where it is. */
const firstLook = 9;

/** Where the map is: its view when it last settled, which is in the URL too. */
export function useHomeMap() {
  const [{ map }, setUrl] = useUrlState(homeUrl);
  const [view, setView] = useState<HomeView | null>(null);
  const handle = useRef<MapHandle>(null);
  const writeView = useMapUrlView({
    text: map,
    write: (text) => setUrl({ map: text }),
    go: (place) => goTo(handle.current, place),
  });
  function flyTo(position: Position, zoom?: number) {
    if (handle.current) handle.current.flyTo(position, zoom);
    // the map's code loads after the list: the map then opens there
    else setUrl({ map: writeMapView({ lat: position.latitude, lng: position.longitude, zoom: zoom ?? NEAR }) });
  }
  return {
    handle,
    /** Null until the map has settled for the first time. */
    view,
    ...useStableFunctions({
      flyTo,
      onView(settled: HomeView) {
        setView(settled);
        // A view that shows all is written too: the URL of the list is then complete (homeUrl reads an empty one by a preference).
        // Not one that has nothing to show: after the first device, that would still be the world.
        if (!settled.isEmpty) writeView({ ...settled, isFitted: false });
      },
      showAll: () => handle.current?.fit(),
      /** Moves the map to a device that is out of view. `isFirst`: no other device has a position. */
      lookAt({ position }: { position?: Position | undefined }, isFirst = false) {
        const least = isFirst ? firstLook : nearestLook;
        if (!position || (view && view.zoom >= least && isInside(view.bbox, position))) return;
        flyTo(position, Math.max(view?.zoom ?? 0, least));
      },
    }),
  };
}

export type HomeMap = ReturnType<typeof useHomeMap>;
