/**
 * One stream for all tabs of a browser. The leader is the tab that holds the lock: it holds the stream and forwards
 * every event. When it closes, the browser gives the lock to the next tab, which continues after its last event.
 */
import type { LiveState } from '../data/stream/connection-status.ts';
import type { LiveStream } from './live-stream.ts';

/** What a tab shows, and needs events about. */
export interface Topics {
  audiences: string[];
  resources: string[];
}

export type Message =
  | { kind: 'watch'; tab: string; topics: Topics }
  | { kind: 'closed'; tab: string }
  | { kind: 'lead' }
  | { kind: 'try' }
  | { kind: 'event'; data: string; id: string }
  /** `missedEvents`: events may have been missed, so all visible queries must be refetched. */
  | { kind: 'state'; state: LiveState; missedEvents: boolean };

export interface Channel {
  listen(listener: (message: Message) => void): void;
  post(message: Message): void;
  close(): void;
}

/** Calls `lead` when this tab becomes the leader, and the function that it returns when the signal is aborted. */
export type TakeLead = (options: { signal: AbortSignal; lead: () => () => void }) => void;

export interface LiveTab {
  watch(topics: Topics): void;
  tryNow(): void;
  stop(): void;
}

/** In ms. Tabs and pages announce their topics within this time: then one stream is opened for all of them. */
const settleTime = 100;
/** In ms: how often the leader asks which tabs are still open. */
const askEvery = 300_000;
/**
 * In ms. The leader forwards something at least every 17 s (live-stream.ts). A browser that has suspended its tab, as on an iPad,
 * leaves the lock with it.
 */
const longestSilence = 30_000;

const unique = (lists: string[][]) => [...new Set(lists.flat())].toSorted();

interface JoinTabsOptions {
  /** The unique id of the tab. */
  tab: string;
  channel: Channel;
  takeLead: TakeLead;
  /** The id of an event after which this tab may have missed some. */
  firstPosition: () => string | undefined;
  open: (options: {
    topics: () => Topics;
    after: string | undefined;
    onEvent: (data: string, id: string) => void;
    opened: (complete: boolean) => void;
    disconnected: () => void;
  }) => LiveStream;
  onEvent: (data: string) => void;
  /** `missedEvents`: events may have been missed. */
  changed: (state: LiveState, missedEvents: boolean) => void;
}

export function joinTabs({ tab, channel, takeLead, firstPosition, open, onEvent, changed }: JoinTabsOptions): LiveTab {
  const ends = new AbortController();
  let ownTopics: Topics = { audiences: [], resources: [] };
  let state: LiveState | undefined;
  let last: string | undefined;
  let stream: LiveStream | undefined;
  let leads = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let openTopics = '';
  let silence: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  const watched = new Map<string, Topics>();

  function setState(next: LiveState, missedEvents: boolean) {
    state = next;
    changed(next, next === 'live' && missedEvents);
  }
  function receiveEvent(data: string, id: string) {
    if (id !== '') last = id;
    if (data !== '') onEvent(data);
  }
  function announce(next: LiveState, missedEvents: boolean) {
    channel.post({ kind: 'state', state: next, missedEvents });
    // Events that another tab passed on may have come after this tab's data.
    setState(next, missedEvents || (state !== 'live' && last !== undefined));
  }
  function topicsOfAll(): Topics {
    const all = [ownTopics, ...watched.values()];
    return {
      audiences: unique(all.map(({ audiences }) => audiences)),
      resources: unique(all.map(({ resources }) => resources)),
    };
  }
  function waitForLeader() {
    clearTimeout(silence);
    silence = setTimeout(() => {
      if (leads || state !== 'live') return;
      isSilent = true;
      setState('disconnected', false);
    }, longestSilence);
  }
  function receiveFromLeader() {
    waitForLeader();
    if (isSilent) setState('live', true);
    isSilent = false;
  }
  function settle() {
    if (leads) settling ??= setTimeout(updateTopics, settleTime);
  }
  function updateTopics() {
    settling = undefined;
    const topicsText = JSON.stringify(topicsOfAll());
    if (stream && topicsText === openTopics) return;
    openTopics = topicsText;
    if (stream) stream.reopen();
    else stream = openStreamOfAll();
  }
  const openStreamOfAll = () =>
    open({
      topics: topicsOfAll,
      after: last ?? firstPosition(),
      onEvent(data, id) {
        channel.post({ kind: 'event', data, id });
        receiveEvent(data, id);
      },
      opened: (complete) => announce('live', !complete),
      disconnected: () => announce('disconnected', false),
    });
  function lead() {
    leads = true;
    const ask = () => {
      watched.clear();
      // The other tabs respond with their topics.
      channel.post({ kind: 'lead' });
      settle();
    };
    ask();
    // A tab that was discarded does not say that it has closed.
    const asking = setInterval(ask, askEvery);
    return () => {
      leads = false;
      clearInterval(asking);
      clearTimeout(settling);
      settling = undefined;
      stream?.close();
      stream = undefined;
    };
  }

  channel.listen((message) => {
    if (!leads && message.kind === 'event') receiveFromLeader();
    if (message.kind === 'event') receiveEvent(message.data, message.id);
    else if (message.kind === 'lead') channel.post({ kind: 'watch', tab, topics: ownTopics });
    else if (message.kind === 'state' && (message.state !== state || message.missedEvents)) {
      isSilent = false;
      waitForLeader();
      setState(message.state, message.missedEvents || state !== 'live');
    } else if (leads) receiveAsLeader(message);
  });
  function receiveAsLeader(message: Message) {
    if (message.kind === 'try') return stream?.tryNow();
    if (message.kind === 'watch') {
      watched.set(message.tab, message.topics);
      if (state) channel.post({ kind: 'state', state, missedEvents: false });
    } else if (message.kind === 'closed') watched.delete(message.tab);
    settle();
  }
  takeLead({ signal: ends.signal, lead });
  channel.post({ kind: 'watch', tab, topics: ownTopics });

  return {
    watch(topics) {
      if (JSON.stringify(topics) === JSON.stringify(ownTopics)) return;
      ownTopics = topics;
      settle();
      channel.post({ kind: 'watch', tab, topics });
    },
    tryNow() {
      if (leads) stream?.tryNow();
      else channel.post({ kind: 'try' });
    },
    stop() {
      channel.post({ kind: 'closed', tab });
      channel.close();
      clearTimeout(silence);
      ends.abort();
    },
  };
}

/**
 * Elects the leader among the tabs of a browser by a lock (https://www.w3.org/TR/web-locks/), which is released however
 * the tab ends.
 */
export function leadByLock(name: string): TakeLead {
  return ({ signal, lead }) => {
    const hold = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release();
        const stop = lead();
        signal.addEventListener('abort', () => {
          stop();
          release();
        });
      });
    // Rejects only if the signal was aborted.
    navigator.locks.request(name, { signal }, hold).catch(() => undefined);
  };
}
