import type { DeviceFilters } from '../../contract.ts';
import { runInSlices, type Requester, type FairQueue } from '../../core/limits/fair-queue.ts';
import type { DeviceSearch } from './device-search.ts';
import { indexLimits } from '../../core/limits/part-limits.ts';

/** The filters whose result is cached (device-search.ts). */
export type SearchFilters = Pick<DeviceFilters, 'q' | 'action'>;

interface Search {
  user: string;
  result: DeviceSearch;
  found: Promise<void>;
  isFound: boolean;
  /** The number of requests that use it. */
  readers: number;
  /** The number of requests that wait for it. */
  waiting: number;
  stop: AbortController;
}

/** The result of a search, until it is released. */
export interface HeldSearch {
  result: DeviceSearch;
  release(): void;
}

/** The searches in an index. Requests for the same one share it, and it is kept for the next ones. */
export function createSearchCache({
  queue,
  newSearch,
  endSearch,
}: {
  queue: FairQueue;
  newSearch: (search: { user: string } & SearchFilters) => DeviceSearch;
  endSearch: (search: DeviceSearch) => void;
}) {
  /** Least recently used first. */
  const searches = new Map<string, Search>();

  function startSearch(key: string, { user, filters }: { user: string; filters: SearchFilters }): Search {
    const result = newSearch({ user, ...filters });
    const stop = new AbortController();
    const found = runInSlices(queue, { user, signal: stop.signal }, result.find());
    const search: Search = { user, result, found, isFound: false, readers: 0, waiting: 0, stop };
    found.then(
      () => {
        search.isFound = true;
        trim();
      },
      () => forget(key, search),
    );
    return search;
  }

  /** Requests that still hold it receive its changes. */
  function forget(key: string, search: Search) {
    if (searches.get(key) === search) searches.delete(key);
    endUnused(search);
  }

  function endUnused(search: Search) {
    if (search.readers === 0 && ![...searches.values()].includes(search)) endSearch(search.result);
  }

  /** Evicts finished searches, the least recently used first, if a user has too many or if there are too many in total. */
  function trim() {
    const counts = new Map<string, number>();
    let ofAll = 0;
    for (const [key, search] of [...searches].reverse()) {
      if (!search.isFound) continue;
      const count = (counts.get(search.user) ?? 0) + 1;
      if (count > indexLimits.searchesOfUser || ofAll >= indexLimits.searches) {
        forget(key, search);
        continue;
      }
      counts.set(search.user, count);
      ofAll += 1;
    }
  }

  function searchFor({ user, signal }: Requester, filters: SearchFilters): Search {
    // Users can see only their own actions.
    const key = JSON.stringify([filters.q, filters.action, filters.action && user]);
    const search = searches.get(key) ?? startSearch(key, { user, filters });
    searches.delete(key);
    searches.set(key, search);
    search.waiting += 1;
    signal?.addEventListener('abort', () => {
      search.waiting -= 1;
      if (search.waiting > 0 || search.isFound) return;
      search.stop.abort();
      forget(key, search);
    });
    return search;
  }

  return {
    /** @throws `request.aborted` if all clients have disconnected */
    async hold(requester: Requester, filters: SearchFilters): Promise<HeldSearch> {
      const search = searchFor(requester, filters);
      search.readers += 1;
      const release = () => {
        search.readers -= 1;
        endUnused(search);
      };
      try {
        await search.found;
      } catch (error) {
        release();
        throw error;
      }
      return { result: search.result, release };
    },
    /** Drops all searches: their index is dropped. */
    clear: (): void => searches.clear(),
  };
}
