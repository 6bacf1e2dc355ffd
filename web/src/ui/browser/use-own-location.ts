import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createListeners } from '../../data/listeners.ts';
import { onNewPage } from '../../data/new-page.ts';
import { tabStorage } from '../../data/tab-storage.ts';

export type LocationError = 'unsupported' | 'denied' | 'unavailable' | 'timeout';

export interface OwnPosition {
  latitude: number;
  longitude: number;
  /** In metres. */
  accuracy: number;
}

/** By the code of a GeolocationPositionError. */
const errors: Record<number, LocationError> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' };

/** Five decimals are about a metre. */
const rounded = (degrees: number) => Number(degrees.toFixed(5));

/** Where this computer or phone is, while something follows it. */
let own: OwnPosition | null = null;
let watching = 0;
const { subscribe, notify } = createListeners();
const publish = (position: OwnPosition | null) => {
  own = position;
  notify();
};

/** The last position that a form has asked for. Stored, because the form may be sent again after a reload, and it is the same request only
 * with the same accuracy. */
const foundKey = 'own-location';

/** In metres; undefined unless the position is the own location that a form has asked for last. */
export function accuracyOfOwn(position: Omit<OwnPosition, 'accuracy'> | undefined): number | undefined {
  const found = JSON.parse(tabStorage.read(foundKey) ?? 'null') as OwnPosition | null;
  const isOwn = found?.latitude === position?.latitude && found?.longitude === position?.longitude;
  return isOwn ? found?.accuracy : undefined;
}

/** Why the last attempt has failed, and who made it: only there it is shown. A list and its map would say the same twice. */
let failure: { by: string; reason: LocationError } | null = null;
const publishFailure = (next: typeof failure) => {
  failure = next;
  notify();
};

onNewPage(() => {
  own = null;
  failure = null;
  watching = 0;
});

interface OwnLocationOptions {
  /** The location is followed until unmounting. Otherwise, it is asked for once. */
  follows?: boolean;
  onFailed?: (reason: LocationError) => void;
}

/**
 * Gets the location of this computer or phone from the browser. `located` is the latest one that any of those who follow it
 * has found. `error` is the reason if that fails, until it is dismissed or the next attempt starts, also by another component.
 * `onFound` is called with the first position of an attempt, and `onFailed` if there is none; both not after unmounting.
 */
export function useOwnLocation(
  onFound: (position: OwnPosition) => void,
  { follows = false, onFailed }: OwnLocationOptions = {},
) {
  const [isLocating, setLocating] = useState(false);
  const self = useId();
  const error = useSyncExternalStore(subscribe, () => (failure?.by === self ? failure.reason : null));
  const located = useSyncExternalStore(subscribe, () => own);
  const stop = useRef((): unknown => undefined);
  // The result may take seconds: by then, the callback of the click would have an old draft.
  const latest = useRef({ onFound, onFailed });
  useLayoutEffect(() => {
    latest.current = { onFound, onFailed };
  });
  const fail = (reason: LocationError) => {
    publishFailure({ by: self, reason });
    latest.current.onFailed?.(reason);
  };
  useEffect(() => () => void stop.current(), []);
  return {
    located,
    error,
    isLocating,
    dismiss() {
      if (error) publishFailure(null);
    },
    /** Ends following, or the attempt. */
    stop() {
      stop.current();
      setLocating(false);
    },
    locate() {
      stop.current();
      publishFailure(null);
      // Browsers provide it only over HTTPS or on localhost.
      const geolocation = navigator.geolocation as Geolocation | undefined;
      if (!geolocation) return fail('unsupported');
      setLocating(true);
      let isFound = false;
      let isStopped = false;
      const succeed = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition) => {
        if (isStopped) return;
        const position = { latitude: rounded(latitude), longitude: rounded(longitude), accuracy };
        setLocating(false);
        if (follows) publish(position);
        else tabStorage.write(foundKey, JSON.stringify(position));
        if (!isFound) latest.current.onFound(position);
        isFound = true;
      };
      const failed = ({ code }: GeolocationPositionError) => {
        if (isStopped) return;
        setLocating(false);
        if (!isFound) fail(errors[code] ?? 'unavailable');
      };
      const options = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 30_000 };
      if (!follows) {
        geolocation.getCurrentPosition(succeed, failed, options);
        stop.current = () => (isStopped = true);
        return undefined;
      }
      const watch = geolocation.watchPosition(succeed, failed, options);
      watching += 1;
      stop.current = () => {
        stop.current = () => undefined;
        isStopped = true;
        geolocation.clearWatch(watch);
        watching -= 1;
        if (watching === 0) publish(null);
      };
      return undefined;
    },
  };
}
