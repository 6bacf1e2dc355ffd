import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryKeys } from '../cache/query-keys.ts';

/** A single letter matches too many places. */
const shortestPlace = 2;

/** Searches the places files in the browser, so that no server learns where the user looks. */
export function foundPlacesQuery(word: string) {
  return queryOptions({
    queryKey: queryKeys.foundPlaces(word),
    queryFn: async () => (await import('./found-places.ts')).findPlaces(word),
    enabled: word.length >= shortestPlace,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
    networkMode: 'always',
  });
}
