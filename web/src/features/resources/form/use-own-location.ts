import { useLayoutEffect, useRef, useState } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { LocationError, ownLocation } from './own-location.ts';
import type { LocationFault } from './own-location.ts';

/**
 * Gets the location of this computer or phone. `fault` is the reason if that fails. `onFound` is not called after
 * unmounting.
 */
export function useOwnLocation(onFound: (position: Position) => void) {
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<LocationFault | null>(null);
  // The result may take seconds: by then, the callback of the click would have an old draft.
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
