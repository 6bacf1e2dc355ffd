/**
 * The live stream (https://html.spec.whatwg.org/multipage/server-sent-events.html): one EventSource for all tabs of a
 * browser. Its events are applied to the query cache by the table in data/stream/changes.ts. While it is disconnected, queries
 * poll and a badge is shown (data/stream/connection-status.ts). Whenever the stream may have missed
 * events, everything on the screen is refetched. It loads after the first page can be used (session-gate.tsx).
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { GatewayEvent } from '@swarmdeck/bff/contract';
import { parseMessages } from '../data/exact-json.ts';
import { actionsOf, useFollowActions } from '../data/actions/actions.ts';
import { patchByChanges } from '../data/stream/changes.ts';
import { isLive, setLiveState } from '../data/stream/connection-status.ts';
import { noteMove } from '../data/stream/map-moves.ts';
import { feedOf, feedPosition } from '../data/stream/feed-position.ts';
import { isSignedOut } from '../data/problem.ts';
import { refetchOutdated } from '../data/cache/query-cache.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { idIn } from '../data/cache/key-parts.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import type { SessionEnd } from '../shared/account/session-tabs.ts';
import { endPush } from '../features/account/push-subscription.ts';
import { leadByLock, joinTabs, type Channel, type Message } from './live-tabs.ts';
import { createRefetches } from './live-refetches.ts';
import { topicsShown, urlOf } from './live-topics.ts';
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

/** Applies the new poll interval (data/stream/poll-intervals.ts) to the active queries. */
function updatePollIntervals(client: QueryClient) {
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of observers) observer.setOptions(observer.options);
  }
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
    // Without a service worker, nobody could read it.
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
  const refetches = createRefetches(client);
  let feed = feedOf(feedPosition.first() ?? '');
  function receive(data: string) {
    const event = parseMessages(data) as GatewayEvent;
    const feedNow = feedOf(event.id);
    const isRestored = feed !== undefined && feedNow !== undefined && feedNow !== feed;
    feed = feedNow ?? feed;
    // What is older than the data here is new, also in the lists that a reset leaves as they are.
    if (isRestored) return refetches.add({ type: 'everything.changed', data: {} });
    if (event.type === 'action.changed') return actionsOf({ client }).onEvent(event.data);
    // At the start of a stream, the map may not have changed.
    if (event.type === 'map.changed' && !event.data.resumed) {
      noteMove({ audience: event.data.audience, at: Date.parse(event.at) });
    }
    refetches.add(event);
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
    const isOfSwarms = type === 'updated' && idIn(event.query.queryKey, queryKeys.device.swarms) !== undefined;
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
    refetches.stop();
    tab.stop();
    setLiveState(undefined);
    updatePollIntervals(client);
  };
  document.addEventListener('visibilitychange', refetches.resume, { signal: ends.signal });
  addEventListener('online', tab.tryNow, { signal: ends.signal });
  addEventListener('pagehide', ({ persisted }) => persisted || stop(), { signal: ends.signal });
  return stop;
}
