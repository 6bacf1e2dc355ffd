import { useRef, useState } from 'react';
import { useBackCloses } from '../../../ui/dialogs/back-closes.ts';
import type { MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';

/** Choosing the position of the device on its map. */
export function useDevicePlacing() {
  const [isPlacing, setPlacing] = useState(false);
  /** The search of a place. */
  const [q, search] = useState('');
  /** What the map shows. Another map begins there, when the phone is turned. */
  const seen = useRef<MapUrlView>(null);
  const change = (next: boolean) => {
    setPlacing(next);
    search('');
  };
  const stop = () => change(false);
  useBackCloses(isPlacing, stop);
  return {
    q,
    search,
    isPlacing,
    ...useStableFunctions({
      toggle: () => change(!isPlacing),
      stop,
      lastView: () => seen.current,
      keepView: (view: MapUrlView) => void (seen.current = view),
    }),
  };
}

export type DevicePlacing = ReturnType<typeof useDevicePlacing>;
