/**
 * The live stream (https://html.spec.whatwg.org/multipage/server-sent-events.html): one EventSource for all tabs of a
 * browser. Its events are applied to the query cache by the table in data/stream/changes.ts. While it is disconnected, queries
 * poll and a badge is shown (data/stream/connection-status.ts). Whenever the stream may have missed
 * events, everything on the screen is refetched. It loads after the first page can be used (session-gate.tsx).
 */
import { useQueryClient, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { GatewayEvent, Swarm } from '@swarmdeck/bff/contract';
import { parseMessages } from '../data/exact-json.ts';
import { actionsOf, useFollowActions } from '../data/actions/actions.ts';
import { patchByChanges, type Change } from '../data/stream/changes.ts';
import { isLive, noteMove, setLiveState } from '../data/stream/connection-status.ts';
import { feedPosition } from '../data/stream/feed-position.ts';
import { isSignedOut } from '../data/problem.ts';
import { isLong, pagesOf } from '../data/cache/paged-query.ts';
import { distinct, refetchOutdated, type Outdated } from '../data/cache/query-cache.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { userOf } from '../data/of-client.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { readableSwarms } from '../data/cache/sent-messages.ts';
import type { SessionEnd } from '../shared/account/session-tabs.ts';
import { endPush } from '../features/account/push-subscription.ts';
import { leadByLock, joinTabs, type Channel, type Message, type Topics } from './live-tabs.ts';
import { openStream, type Connect } from './live-stream.ts';
import { storeData } from './stored-data.ts';
import { useAppUpdate } from './app-update.ts';

const connect: Connect = (url, { opened, onEvent, failed }) => {
  const stream = new EventSource(url);
  const take = ({ data, lastEventId }: MessageEvent<string>) => onEvent(data, lastEventId);
  stream.addEventListener('open', opened);
  stream.addEventListener('message', take);
  stream.addEventListener('mark', take);
  stream.addEventListener('error', failed);
  return stream;
};

function openChannel(name: string): Channel {
  const channel = new BroadcastChannel(name);
  return {
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}

/** Applies the new poll interval (data/stream/connection-status.ts) to the active queries. */
function updatePollIntervals(client: QueryClient) {
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of observers) observer.setOptions(observer.options);
  }
}

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
    add({ refetch = [], refetchFirst = [] }: Outdated) {
      outdated = {
        refetch: distinct([...(outdated.refetch ?? []), ...refetch]),
        refetchFirst: distinct([...(outdated.refetchFirst ?? []), ...refetchFirst]),
      };
      schedule();
    },
  };
}

interface StartLiveOptions {
  client: QueryClient;
  user_id: string;
}

/** The live updates of a session. */
export function Live({ user_id }: { user_id: string }): null {
  const client = useQueryClient();
  useEffect(() => startLive({ client, user_id }), [client, user_id]);
  useAppUpdate();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let hasEnded = false;
    // without a service worker, nobody could read it
    void navigator.serviceWorker?.ready.then(() => {
      if (!hasEnded) stop = storeData(client);
    });
    return () => {
      hasEnded = true;
      stop?.();
    };
  }, [client]);
  useFollowActions();
  return null;
}

export interface SessionEndOptions {
  user_id: string | undefined;
  end: SessionEnd;
}

/**
 * Deletes what the session has left in this browser, except the stored data: its notifications, and what waits to be sent.
 * Who signs out was asked about that. If another user has signed in instead, it waits for its user.
 */
export async function endInBrowser({ user_id, end }: SessionEndOptions): Promise<void> {
  const clears = end === 'by_user' && user_id !== undefined;
  await Promise.allSettled([endPush(), clears && outbox.clear(user_id)]);
}

/** Starts the live updates of one user. Returns a function that stops them. */
export function startLive({ client, user_id }: StartLiveOptions): () => void {
  const isVisible = () => document.visibilityState === 'visible';
  /** By the first part of the query key, and long lists alone, so that slow responses of one kind do not delay the others. */
  const refetches = new Map<string, ReturnType<typeof refetchThrottle>>();
  const refetchOf = (root: unknown, ofLong: boolean) => {
    const name = `${ofLong ? 'long ' : ''}${String(root)}`;
    const existing = refetches.get(name);
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
      everyMs: root === 'map' ? 200 : 1000,
      // A large action changes everything all the time, and needs the server itself. A long list is fetched page by page.
      pauseMs: () =>
        Math.max(restOf(actionsOf({ client }).workingMs()), ofLong ? Math.min(60_000, 1000 * pagesShown()) : 0),
      // The title shows the number of invitations, even while the page is hidden.
      ...(root !== 'invitations' && { mayRun: isVisible }),
    });
    refetches.set(name, made);
    return made;
  };
  // Ten thousand answers cause as many events, which are applied together.
  const events: Change[] = [];
  const burst = throttle({ everyMs: 100, run: () => patchAndRefetch(events.splice(0)) });

  /** Patches the cached queries, and fetches the others again, each in its own time. */
  function patchAndRefetch(changes: readonly Change[]) {
    const { refetch = [], refetchFirst = [] } = patchByChanges(client, changes);
    const roots = new Set([...refetch, ...refetchFirst].map(([root]) => root));
    for (const root of roots) {
      const ofRoot = (keys: readonly QueryKey[]) => keys.filter((key) => key[0] === root);
      const outdated = { refetch: ofRoot(refetch), refetchFirst: ofRoot(refetchFirst) };
      for (const ofLong of [false, true]) refetchOf(root, ofLong).add(outdated);
    }
  }
  function receive(data: string) {
    const event = parseMessages(data) as GatewayEvent;
    if (event.type === 'action.changed') return actionsOf({ client }).onEvent(event.data);
    // At the start of a stream, the map may not have changed.
    if (event.type === 'map.changed' && !event.data.resumed) {
      noteMove({ audience: event.data.audience, at: Date.parse(event.at) });
    }
    events.push(event);
    burst.schedule();
  }
  const refetchAll = () => void refetchOutdated(client, patchByChanges(client, [{ type: 'reset', data: {} }]));
  const refetchAccount = () => refetchOutdated(client, { refetch: [queryKeys.account] });

  const name = `live:${user_id}`;
  const tab = joinTabs({
    tab: crypto.randomUUID(),
    channel: openChannel(name),
    takeLead: leadByLock(name),
    firstPosition: feedPosition.first,
    open: ({ topics, ...rest }) =>
      openStream({
        ...rest,
        connect,
        urlOf: (after) => urlOf({ topics: topics(), after, first: feedPosition.first() }),
        mayTry: () => !isSignedOut(client.getQueryState(queryKeys.account)?.error),
      }),
    onEvent: receive,
    changed(state, missedEvents) {
      setLiveState(state, missedEvents);
      updatePollIntervals(client);
      // Finds out whether the session has ended or the server cannot be reached.
      if (state === 'disconnected') void refetchAccount();
      if (missedEvents) setTimeout(refetchAll);
    },
  });

  let looking: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    looking = undefined;
    tab.watch(topicsShown(client));
  };
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { type } = event;
    // The server responds again, so the stream can reconnect immediately.
    if (type === 'updated' && event.action.type === 'success' && !isLive()) tab.tryNow();
    // What a device sends is watched in its swarms, which may be others now.
    const isOfSwarms = type === 'updated' && event.query.queryKey[2] === 'swarms';
    // Later, because no query is active for a moment while the page changes.
    if (type === 'observerAdded' || type === 'observerRemoved' || isOfSwarms) looking ??= setTimeout(look, 250);
  });
  look();

  const ends = new AbortController();
  const stop = () => {
    if (ends.signal.aborted) return;
    ends.abort();
    clearTimeout(looking);
    unsubscribe();
    for (const each of [burst, ...refetches.values()]) each.stop();
    tab.stop();
    setLiveState(undefined);
    updatePollIntervals(client);
  };
  const resume = () => isVisible() && [burst, ...refetches.values()].forEach((each) => each.resume());
  document.addEventListener('visibilitychange', resume, { signal: ends.signal });
  addEventListener('online', tab.tryNow, { signal: ends.signal });
  addEventListener('pagehide', ({ persisted }) => persisted || stop(), { signal: ends.signal });
  return stop;
}

/** In ms, between the refetches while an action has been running for so long. At its end, all is refetched. */
const restOf = (workingMs: number) => workingMs && Math.min(60_000, Math.max(5000, workingMs));

const audience = /^(own|visible|(swarm|messages):[0-9a-f-]{36})$/;
const id = /^[0-9a-f-]{36}$/;
/** The server's limit. */
const atMost = 20;

/** Those in which the stream has what an own device sends. */
function swarmsOfSent(client: QueryClient, id: string) {
  const user_id = userOf(client);
  const swarms = client.getQueryData<Swarm[]>(queryKeys.device.swarms(id));
  return user_id === undefined || !swarms ? [] : readableSwarms({ id, user_id }, swarms);
}

/** Those in which the stream has what an open chart shows (data/values/live-values.ts). */
function swarmsOfValues(client: QueryClient, source: unknown): { id: string }[] {
  const { resource_id, swarm_id } = source as { resource_id?: string; swarm_id?: string };
  if (swarm_id !== undefined) return [{ id: swarm_id }];
  return swarmsOfSent(client, String(resource_id));
}

/** The topics of the active queries. */
export function topicsShown(client: QueryClient): Topics {
  const audiences = new Set<string>();
  const resources = new Set<string>();
  for (const { queryKey } of client.getQueryCache().findAll({ type: 'active' })) {
    const [root, of, part] = queryKey;
    if (root === 'devices') audiences.add('own');
    if (root === 'map') audiences.add((of as { audience: string }).audience);
    if (root === 'messages') audiences.add(`messages:${String(of)}`);
    if (root === 'device') resources.add(String(of));
    const swarms =
      part === 'sent' ? swarmsOfSent(client, String(of)) : of === 'live' ? swarmsOfValues(client, part) : [];
    for (const { id } of swarms) audiences.add(`messages:${id}`);
  }
  return {
    audiences: [...audiences].filter((one) => audience.test(one)).toSorted(),
    resources: [...resources].filter((one) => id.test(one)).toSorted(),
  };
}

interface StreamStart {
  topics: Topics;
  /** The id of an event. */
  after: string | undefined;
  /** All data of the page contains the events up to this one. */
  first?: string | undefined;
}

/** The URL of the stream for these topics. Pages poll for topics beyond the limit. */
export function urlOf({ topics, after, first }: StreamStart): string {
  const query = new URLSearchParams({ watch: topics.audiences.slice(0, atMost).join(',') });
  if (topics.resources.length > 0) query.set('resource', topics.resources.slice(0, atMost).join(','));
  if (after !== undefined) query.set(after === first ? 'position' : 'last_event_id', after);
  return `/api/events?${query.toString()}`;
}

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
    await Promise.allSettled([run(), rest()]);
    isResting = false;
    next();
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
