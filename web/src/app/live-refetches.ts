/** Applies changes to the query cache, and fetches what they make outdated, each kind of query in its own time. */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { actionsOf } from '../data/actions/actions.ts';
import { isLong, pagesOf } from '../data/cache/paged-query.ts';
import { distinct, refetchOutdated, type Outdated } from '../data/cache/query-cache.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { patchByChanges, type Change } from '../data/stream/changes.ts';

interface RefetchThrottleOptions extends Omit<ThrottleOptions, 'run'> {
  client: QueryClient;
  isMeant(query: Query): boolean;
}

/** Fetches outdated queries in batches. */
function refetchThrottle({ client, isMeant, ...how }: RefetchThrottleOptions) {
  let outdated: Outdated = {};
  const { schedule, ...rest } = throttle({
    ...how,
    run() {
      const now = outdated;
      outdated = {};
      return refetchOutdated(client, now, isMeant);
    },
  });
  return {
    ...rest,
    add({ refetch = [], refetchIfNoData = [] }: Outdated) {
      outdated = {
        refetch: distinct([...(outdated.refetch ?? []), ...refetch]),
        refetchIfNoData: distinct([...(outdated.refetchIfNoData ?? []), ...refetchIfNoData]),
      };
      schedule();
    },
  };
}

/** The refetches of one session, which the events of its stream cause. */
export function createRefetches(client: QueryClient) {
  const isVisible = () => document.visibilityState === 'visible';
  /** By the first part of the query key, and long lists alone, so that slow responses of one kind do not delay the others. */
  const throttles = new Map<string, ReturnType<typeof refetchThrottle>>();
  const throttleOf = (root: unknown, ofLong: boolean) => {
    const name = `${ofLong ? 'long ' : ''}${String(root)}`;
    const existing = throttles.get(name);
    if (existing) return existing;
    const isMeant = (query: Query) => isLong(query) === ofLong;
    const isOfRoot = (query: Query) => query.queryKey[0] === root && isMeant(query);
    const pagesShown = () =>
      client
        .getQueryCache()
        .findAll({ type: 'active', predicate: isOfRoot })
        .reduce((sum, query) => sum + pagesOf(query), 0);
    const made = refetchThrottle({
      client,
      isMeant,
      everyMs: root === queryKeys.map.all[0] ? 200 : 1000,
      // A large action changes everything all the time, and needs the server itself. A long list is fetched page by page.
      pauseMs: () =>
        Math.max(restOf(actionsOf({ client }).workingMs()), ofLong ? Math.min(60_000, 1000 * pagesShown()) : 0),
      // The title shows the number of invitations, even while the page is hidden.
      ...(root !== queryKeys.invitations.all[0] && { mayRun: isVisible }),
    });
    throttles.set(name, made);
    return made;
  };
  /** Patches the cached queries, and fetches the others again. */
  function apply(changes: readonly Change[]) {
    const { refetch = [], refetchIfNoData = [] } = patchByChanges(client, changes);
    const roots = new Set([...refetch, ...refetchIfNoData].map(([root]) => root));
    for (const root of roots) {
      const ofRoot = (keys: readonly QueryKey[]) => keys.filter((key) => key[0] === root);
      const outdated = { refetch: ofRoot(refetch), refetchIfNoData: ofRoot(refetchIfNoData) };
      for (const ofLong of [false, true]) throttleOf(root, ofLong).add(outdated);
    }
  }
  // Ten thousand answers cause as many events, which are applied together.
  const bursts = { messages: burst(messagesEveryMs, apply), others: burst(100, apply) };
  const all = () => [bursts.messages, bursts.others, ...throttles.values()];
  return {
    add: (change: Change) => bursts[change.type === 'message.sent' ? 'messages' : 'others'].add(change),
    /** Call it when the page may have become visible. */
    resume: () => isVisible() && all().forEach((each) => each.resume()),
    stop: () => all().forEach((each) => each.stop()),
  };
}

/** In ms. Devices may send a thousand times a second, and more often nobody could read it. */
const messagesEveryMs = 250;

/** Changes that are applied together. */
function burst(everyMs: number, apply: (changes: readonly Change[]) => void) {
  const waiting: Change[] = [];
  const { schedule, ...rest } = throttle({ everyMs, run: () => apply(waiting.splice(0)) });
  return {
    ...rest,
    add(change: Change) {
      waiting.push(change);
      schedule();
    },
  };
}

/** In ms, between the refetches while an action has been running for so long. At its end, all is refetched. */
const restOf = (workingMs: number) => workingMs && Math.min(60_000, Math.max(5000, workingMs));

interface Throttle {
  schedule(): void;
  /** Call it when `mayRun` has become true. */
  resume(): void;
  stop(): void;
}

interface ThrottleOptions {
  everyMs: number;
  pauseMs?: () => number;
  run(): unknown;
  mayRun?: () => boolean;
}

/**
 * Runs immediately when called, then at most once in `everyMs`, or in `pauseMs` if that is longer now, and once after the
 * last call. Never runs twice at the same time. While `mayRun` returns false, the call stays pending.
 */
export function throttle({ everyMs, pauseMs = () => 0, run, mayRun = () => true }: ThrottleOptions): Throttle {
  let isScheduled = false;
  let isResting = false;
  let isStopped = false;

  async function pass() {
    isScheduled = false;
    isResting = true;
    await Promise.all([runReported(), rest()]);
    isResting = false;
    next();
  }
  /** An event that cannot be applied must not end the updates of the page. */
  async function runReported() {
    try {
      await run();
    } catch (error) {
      reportError(error);
    }
  }
  async function rest() {
    let rested = 0;
    do {
      await new Promise((done) => setTimeout(done, everyMs));
      rested += everyMs;
    } while (rested < pauseMs() && !isStopped);
  }
  function next() {
    if (isScheduled && !isResting && !isStopped && mayRun()) void pass();
  }
  return {
    schedule() {
      isScheduled = true;
      next();
    },
    resume: next,
    stop() {
      isStopped = true;
    },
  };
}
