import { useLayoutEffect, useRef, useState } from 'react';

export type LocationError = 'unsupported' | 'denied' | 'unavailable' | 'timeout';

interface Position {
  latitude: number;
  longitude: number;
}

export interface OwnPosition extends Position {
  /** In metres. */
  accuracy: number;
}

/** By the code of a GeolocationPositionError. */
const errors: Record<number, LocationError> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' };

/** Five decimals are about a metre. */
const rounded = (degrees: number) => Number(degrees.toFixed(5));

/**
 * Gets the location of this computer or phone from the browser. `error` is the reason if that fails, until it is
 * dismissed or the next attempt starts. `onFound` is not called after unmounting.
 */
export function useOwnLocation(onFound: (position: Position) => void) {
  const [isLocating, setLocating] = useState(false);
  const [located, setLocated] = useState<OwnPosition | null>(null);
  const [error, setError] = useState<LocationError | null>(null);
  // The result may take seconds: by then, the callback of the click would have an old draft.
  const latest = useRef<typeof onFound | null>(null);
  useLayoutEffect(() => {
    latest.current = onFound;
    return () => {
      latest.current = null;
    };
  });
  return {
    located,
    error,
    isLocating,
    dismiss: () => setError(null),
    locate() {
      setError(null);
      // Browsers provide it only over HTTPS or on localhost.
      const geolocation = navigator.geolocation as Geolocation | undefined;
      if (!geolocation) return setError('unsupported');
      setLocating(true);
      return geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy } }) => {
          const position = { latitude: rounded(latitude), longitude: rounded(longitude) };
          setLocating(false);
          setLocated({ ...position, accuracy });
          latest.current?.(position);
        },
        ({ code }) => {
          setLocating(false);
          setError(errors[code] ?? 'unavailable');
        },
        { enableHighAccuracy: true, timeout: 15_000, maximumAge: 30_000 },
      );
    },
  };
}
