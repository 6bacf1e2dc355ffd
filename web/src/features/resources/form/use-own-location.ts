import { useLayoutEffect, useRef, useState } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { LocationError, ownLocation } from './own-location.ts';
import type { LocationFault } from './own-location.ts';

/**
 * Asks the browser for the position of this computer or phone. `fault` says why there is none. `onFound` is not called
 * after the component has been removed.
 */
export function useOwnLocation(onFound: (position: Position) => void) {
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<LocationFault | null>(null);
  // The answer may take seconds: by then, the callback of the click would know an old draft.
  const found = useRef<typeof onFound | null>(null);
  useLayoutEffect(() => {
    found.current = onFound;
    return () => {
      found.current = null;
    };
  });
  const ask = async () => {
    setAsking(true);
    setFault(null);
    try {
      const position = await ownLocation(globalThis.navigator.geolocation);
      found.current?.(position);
    } catch (error) {
      setFault(error instanceof LocationError ? error.fault : 'unavailable');
    } finally {
      setAsking(false);
    }
  };
  return { ask: () => void ask(), asking, fault: fault && t.device.location_fault[fault] };
}
