/** Place names from files of the app itself, so that no other server learns where the user looks. */
import citiesUrl from 'virtual:places-cities';
import countriesUrl from 'virtual:places-countries';
import townsUrl from 'virtual:places-towns';
import villagesUrl from 'virtual:places-villages';
import { loadCityNames } from '../../text/load-city-names.ts';
import { formatDistance, formatPosition } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { cellsIn } from '../cells.ts';
import { loadBytes } from '../client.ts';
import { loadCell } from '../cell-files.ts';
import type { Places } from './places.file.ts';
import { boxAround, nearest } from './places.search.ts';
import type { Position } from '@swarmdeck/bff/contract';
import { useEffect, useState } from 'react';

const urls = { countries: countriesUrl, cities: citiesUrl, towns: townsUrl, villages: villagesUrl };

/** Countries; cities of 100,000 people and capitals; towns of 15,000; villages of 1,000, and parts of towns. */
type PlaceGrade = keyof typeof urls;

const requested = new Map<string, Promise<Places | null>>();

/** Fetches and decodes each file once. After a failure, the next call tries again. */
function loadOnce<Found extends Places | null>(name: string, load: () => Promise<Found>): Promise<Found> {
  const coming = (requested.get(name) as Promise<Found> | undefined) ?? load();
  requested.set(name, coming);
  coming.catch(() => requested.delete(name));
  return coming;
}

/** All places of a grade. */
export const loadPlaces = (grade: PlaceGrade): Promise<Places> =>
  loadOnce(grade, async () => decode(await loadBytes(urls[grade])));

/** Those in a cell, with its cities; null if there are none. */
export const loadPlacesIn = (grade: 'towns' | 'villages', cell: number): Promise<Places | null> =>
  loadOnce(`${grade} ${cell}`, async () => {
    const bytes = await loadCell(grade, cell);
    return bytes ? decode(bytes) : null;
  });

export interface PlacesRequest {
  bytes: ArrayBuffer;
  ownNames: Readonly<Record<string, string>>;
}

async function decode(bytes: ArrayBuffer): Promise<Places> {
  const request: PlacesRequest = { bytes, ownNames: await loadCityNames() };
  const worker = new Worker(new URL('./places.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Places>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Places>) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage(request, [request.bytes]);
  }).finally(() => worker.terminate());
}

/** Rounds to about a kilometre, so that a moving device does not cause a search with every step. */
const coarse = (degrees: number) => Math.round(degrees * 100) / 100;

/** A place within this distance is near, in km. */
const nearLimit = 15;

interface NearestCity {
  name: string;
  /** "near {city}", or "40 km from {city}". */
  text: string;
}

/** The nearest city or town within 150 km; null if there is none, or until it is known. */
export function useNearestCity(position: Position | undefined): NearestCity | null {
  const [city, setCity] = useState<NearestCity | null>(null);
  const longitude = position && coarse(position.longitude);
  const latitude = position && coarse(position.latitude);
  useEffect(() => {
    if (longitude === undefined || latitude === undefined) return undefined;
    let isCancelled = false;
    nearestCity({ longitude, latitude }).then(
      (found) => !isCancelled && setCity(found),
      // The name is optional, so a failure is ignored.
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [longitude, latitude]);
  return position ? city : null;
}

/** A position with its nearest city, to be read out: "54.300000, 10.100000, near Kiel". Empty until it is known. */
export function usePlaceText(position: Position | null): string {
  const [found, setFound] = useState({ text: '', longitude: Number.NaN, latitude: Number.NaN });
  const longitude = position?.longitude;
  const latitude = position?.latitude;
  useEffect(() => {
    if (longitude === undefined || latitude === undefined) return undefined;
    let isCancelled = false;
    void describePlace({ longitude, latitude }).then((text) => !isCancelled && setFound({ text, longitude, latitude }));
    return () => {
      isCancelled = true;
    };
  }, [longitude, latitude]);
  return found.longitude === longitude && found.latitude === latitude ? found.text : '';
}

/** A position with its nearest city; without it if the names cannot be loaded. */
async function describePlace(position: Position): Promise<string> {
  const city = await nearestCity(position).catch(() => null);
  const at = formatPosition(position);
  return city ? `${at}, ${city.text.replace('{city}', () => city.name)}` : at;
}

async function nearestCity(position: Position): Promise<NearestCity | null> {
  // As the map beside it, which names towns too. Without their files, cities are named.
  const near = cellsIn(boxAround(position)).map((cell) => loadPlacesIn('towns', cell));
  const files = await Promise.all(near).catch(async () => [await loadPlaces('cities')]);
  const [found] = files
    .flatMap((places) => (places && nearest({ places, position })) ?? [])
    .toSorted((one, other) => one.kilometres - other.kilometres);
  if (!found) return null;
  const { name, kilometres } = found;
  const text = kilometres <= nearLimit ? t.map.near : t.map.away(formatDistance(kilometres));
  return { name, text };
}
