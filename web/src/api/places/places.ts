/** Place names from files of the app itself, so that no other server learns where the user looks. */
import citiesUrl from 'virtual:places-cities';
import countriesUrl from 'virtual:places-countries';
import townsUrl from 'virtual:places-towns';
import villagesUrl from 'virtual:places-villages';
import { loadBytes } from '../client.ts';
import type { Places } from './places.file.ts';
import { nearest } from './places.search.ts';
import type { Position } from '@swarmdeck/bff/contract';
import { useEffect, useState } from 'react';

const urls = { countries: countriesUrl, cities: citiesUrl, towns: townsUrl, villages: villagesUrl };

/** Countries; cities of 100,000 people and capitals; towns of 15,000; villages of 1,000, and parts of towns. */
export type PlaceGrade = keyof typeof urls;

const requested = new Map<PlaceGrade, Promise<Places>>();

/** Fetches and decodes each file once. After a failure, the next call tries again. */
export function loadPlaces(grade: PlaceGrade): Promise<Places> {
  const known = requested.get(grade);
  if (known) return known;
  const coming = loadBytes(urls[grade]).then(decode);
  requested.set(grade, coming);
  coming.catch(() => requested.delete(grade));
  return coming;
}

function decode(bytes: ArrayBuffer): Promise<Places> {
  const worker = new Worker(new URL('./places.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Places>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Places>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(bytes, [bytes]);
  }).finally(() => worker.terminate());
}

/** Rounds to about a kilometre, so that a moving device does not cause a search with every step. */
const coarse = (degrees: number) => Math.round(degrees * 100) / 100;

/** The name of the nearest city within 150 km, for "near Kiel"; null if there is none, or until it is known. */
export function useNearestCity(position: Position | undefined): string | null {
  const [name, setName] = useState<string | null>(null);
  const longitude = position && coarse(position.longitude);
  const latitude = position && coarse(position.latitude);
  useEffect(() => {
    if (longitude === undefined || latitude === undefined) return undefined;
    let left = false;
    loadPlaces('cities').then(
      (places) => !left && setName(nearest({ places, position: { longitude, latitude } })?.name ?? null),
      // The name is optional, so a failure is ignored.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [longitude, latitude]);
  return position ? name : null;
}
