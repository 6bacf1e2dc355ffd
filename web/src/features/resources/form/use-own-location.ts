import { useState } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { words } from '../device-words.ts';
import { LocationError, ownLocation } from './own-location.ts';
import type { LocationFault } from './own-location.ts';

/** Asks the browser where this computer or phone is; `fault` is the sentence for when it does not say. */
export function useOwnLocation(onFound: (position: Position) => void) {
  const [asking, setAsking] = useState(false);
  const [fault, setFault] = useState<LocationFault | null>(null);
  const ask = async () => {
    setAsking(true);
    setFault(null);
    try {
      onFound(await ownLocation(globalThis.navigator.geolocation));
    } catch (error) {
      setFault(error instanceof LocationError ? error.fault : 'unavailable');
    } finally {
      setAsking(false);
    }
  };
  return { ask: () => void ask(), asking, fault: fault && words.location_fault[fault] };
}
