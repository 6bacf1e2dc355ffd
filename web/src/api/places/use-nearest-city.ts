import type { Position } from '@swarmdeck/bff/contract';
import { useEffect, useState } from 'react';
import { nearestCity } from './places.ts';

/** Rounds to about a kilometre, so that a moving device does not cause a search with every step. */
const coarse = (degrees: number) => Math.round(degrees * 100) / 100;

/** The name of the nearest city; null if there is none, or until it is known. */
export function useNearestCity(position: Position | undefined): string | null {
  const [name, setName] = useState<string | null>(null);
  const longitude = position && coarse(position.longitude);
  const latitude = position && coarse(position.latitude);
  useEffect(() => {
    if (longitude === undefined || latitude === undefined) return undefined;
    let left = false;
    nearestCity({ longitude, latitude }).then(
      (near) => !left && setName(near?.name ?? null),
      // The name is optional, so a failure is ignored.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [longitude, latitude]);
  return position ? name : null;
}
