import type { Position } from '@swarmdeck/bff/contract';
import { useState } from 'react';
import { t } from '../../../text/text.ts';

const TIMEOUT = 10_000;

export interface OwnPosition extends Position {
  /** In metres. */
  accuracy: number;
}

/** Gets the browser's location. `fault` is the error message until it is dismissed or the next attempt starts. */
export function useLocate(onLocated: (position: Position) => void) {
  const [located, setLocated] = useState<OwnPosition | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const succeed = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition) => {
    setLocated({ latitude, longitude, accuracy });
    onLocated({ latitude, longitude });
  };
  const fail = ({ code, PERMISSION_DENIED }: GeolocationPositionError) =>
    setFault(code === PERMISSION_DENIED ? t.map.location_denied : t.map.not_located);
  return {
    located,
    fault,
    dismiss: () => setFault(null),
    locate() {
      setFault(null);
      // Browsers provide it only over HTTPS or on localhost.
      const geolocation = navigator.geolocation as Geolocation | undefined;
      if (geolocation) geolocation.getCurrentPosition(succeed, fail, { timeout: TIMEOUT });
      else setFault(t.map.location_insecure);
    },
  };
}
