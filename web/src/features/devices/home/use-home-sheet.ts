import { useRef, useState } from 'react';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import type { Stop } from '../../../ui/sheet/sheet-stops.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';

/** The sheet of a phone. It keeps its stop while a desk, which has none, is shown: a turned phone may be one. */
export function useHomeSheet() {
  const [{ selected }] = useUrlState(homeUrl);
  const [stop, setStop] = useState<Stop>(selected === null ? 'half' : 'card');
  const [height, setHeight] = useState(0);
  /** Of the list before the card opened, which is restored when the card closes. Null: none is open. */
  const listStop = useRef<Stop | null>(selected === null ? null : 'half');
  return {
    stop,
    setStop,
    /** How much of the map it covers, in px. */
    height,
    setHeight,
    ...useStableFunctions({
      showCard() {
        if (stop !== 'card' || !listStop.current) listStop.current = stop;
        setStop('card');
      },
      closeCard() {
        if (listStop.current) setStop(listStop.current);
        listStop.current = null;
      },
    }),
  };
}

export type HomeSheet = ReturnType<typeof useHomeSheet>;
