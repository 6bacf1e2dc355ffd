/**
 * News, as they happen (https://html.spec.whatwg.org/multipage/server-sent-events.html): the one EventSource of a
 * browser. The stream is a hint, the list is the truth: whenever it may have missed something, what is shown is read
 * again. It loads after the first page can be used (live-later.tsx).
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import type { GatewayEvent } from '@swarmdeck/bff/contract';
import { isLive, noteMove, setLive } from '../api/liveness.ts';
import { isSignedOut } from '../api/problem.ts';
import { askForNews } from '../features/invitations/invitation-cache.api.ts';
import { applyInvitationEvents } from '../features/invitations/invitations.live.ts';
import { applyResourceEvent } from '../features/resources/resources.live.ts';
import { applySwarmEvents } from '../features/swarms/swarms.live.ts';
import { leadByLock } from './live-lead.ts';
import { openStream } from './live-stream.ts';
import type { Connect } from './live-stream.ts';
import type { Channel, LiveState, Message } from './live-tabs.ts';
import { joinTabs } from './live-tabs.ts';
import { topicsShown, urlOf } from './live-topics.ts';
import { gathered, paced } from './pace.ts';

const connect: Connect = (url, { opened, told, broken }) => {
  const stream = new EventSource(url);
  const take = ({ data, lastEventId }: MessageEvent<string>) => told(data, lastEventId);
  stream.addEventListener('open', opened);
  stream.addEventListener('message', take);
  stream.addEventListener('mark', take);
  stream.addEventListener('error', broken);
  return stream;
};

function openChannel(name: string): Channel {
  const channel = new BroadcastChannel(name);
  return {
    listen: (told) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => told(data)),
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}

/** Long lists learn what is new by their newest rows: once read, they are not read again behind the reader's back. */
const mayBeReadAgain = ({ queryKey: [root, part], state }: Pick<Query, 'queryKey' | 'state'>) =>
  (part !== 'pages' || state.data === undefined) && part !== 'answering' && root !== 'account';

function readAgain(client: QueryClient) {
  setTimeout(() => void client.invalidateQueries({ predicate: mayBeReadAgain }));
}

/** Whoever looks for news every so often asks again how often that is (api/liveness.ts). */
function paceAgain(client: QueryClient) {
  for (const { observers } of client.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of observers) observer.setOptions(observer.options);
  }
}

/** For the tabs of one user; what it returns ends it. */
export function startLive({
  client,
  user_id,
  changed,
}: {
  client: QueryClient;
  user_id: string;
  changed: (state: LiveState) => void;
}): () => void {
  const isSeen = () => document.visibilityState === 'visible';
  const read = (queryKey: readonly unknown[]) => client.invalidateQueries({ queryKey });
  /** A list that is on its way for the first time may be older than what has just happened. */
  const readFirst = (queryKey: readonly unknown[]) =>
    client.invalidateQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  const askAccount = () => client.invalidateQueries({ queryKey: ['account'], exact: true });
  const news = {
    map: paced({ everyMs: 200, may: isSeen, run: () => read(['map']) }),
    devices: paced({
      everyMs: 1000,
      may: isSeen,
      run: () =>
        Promise.all([
          ...['pulse', 'count', 'one'].map((part) => read(['devices', part])),
          readFirst(['devices', 'pages']),
        ]),
    }),
    // an import adds hundreds of devices in a second: how many there are is read once in each
    account: paced({ everyMs: 1000, may: isSeen, run: askAccount }),
    // counted in the title of a page that is not seen, too
    invitations: paced({ everyMs: 1000, run: () => askForNews(client) }),
  };
  // ten thousand answers are as many events: what gathers is applied at one go
  const bursts = {
    lists: gathered<GatewayEvent>({ everyMs: 100, take: applyToLists }),
    swarms: gathered<GatewayEvent>({
      everyMs: 1000,
      may: isSeen,
      take: (events) => applySwarmEvents(client, events),
    }),
  };
  const running = [...Object.values(news), ...Object.values(bursts)];

  function apply(data: string) {
    const event = JSON.parse(data) as GatewayEvent;
    if (event.type === 'reset') return readAgain(client);
    if (event.type === 'map.changed') noteMove({ audience: event.data.audience, at: Date.parse(event.at) });
    bursts.lists.add(event);
    bursts.swarms.add(event);
  }
  function applyToLists(events: GatewayEvent[]) {
    for (const event of events) applyResourceEvent({ client, event, ask: (what) => news[what].ask() });
    applyInvitationEvents({ client, events, ask: news.invitations.ask });
  }

  const name = `live:${user_id}`;
  const tab = joinTabs({
    tab: crypto.getRandomValues(new Uint32Array(2)).join('-'),
    channel: openChannel(name),
    takeLead: leadByLock({ name, locks: 'locks' in navigator ? navigator.locks : undefined, document }),
    open: ({ topics, ...rest }) =>
      openStream({
        ...rest,
        connect,
        urlOf: (after) => urlOf({ topics: topics(), after }),
        mayTry: () => !isSignedOut(client.getQueryState(['account'])?.error),
      }),
    told: apply,
    changed(state, again) {
      setLive(state === 'live');
      paceAgain(client);
      changed(state);
      // a session that has ended, and a service that is away, are found out and told the one way there is
      if (state === 'lost') void askAccount();
      if (again) readAgain(client);
    },
  });

  let looking: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    looking = undefined;
    tab.watch(topicsShown(client));
  };
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { type } = event;
    // whoever was answered need not wait for the stream's next try
    if (type === 'updated' && event.action.type === 'success' && !isLive()) tab.tryNow();
    // from one page to the next nothing is watched for a moment
    if (type === 'observerAdded' || type === 'observerRemoved') looking ??= setTimeout(look, 250);
  });
  look();

  const ends = new AbortController();
  const stop = () => {
    if (ends.signal.aborted) return;
    ends.abort();
    clearTimeout(looking);
    unsubscribe();
    for (const paces of running) paces.stop();
    tab.stop();
    setLive(false);
    paceAgain(client);
  };
  const seen = () => isSeen() && running.forEach((paces) => paces.resume());
  document.addEventListener('visibilitychange', seen, { signal: ends.signal });
  addEventListener('online', tab.tryNow, { signal: ends.signal });
  addEventListener('pagehide', ({ persisted }) => persisted || stop(), { signal: ends.signal });
  return stop;
}
