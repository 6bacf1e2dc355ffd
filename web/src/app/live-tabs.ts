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
  const leader = createLeader({
    channel,
    ownTopics: () => ownTopics,
    state: () => state,
    open: (topics) =>
      open({
        topics,
        after: last ?? firstPosition(),
        onEvent(data, id) {
          channel.post({ kind: 'event', data, id });
          receiveEvent(data, id);
        },
        opened: (complete) => announce('live', !complete),
        disconnected: () => announce('disconnected', false),
      }),
  });
  const silence = watchSilence({
    isFollowing: () => !leader.isLeading() && state === 'live',
    onChange: (isSilent) => setState(isSilent ? 'disconnected' : 'live', true),
  });

  channel.listen((message) => {
    if (!leader.isLeading() && message.kind === 'event') silence.end();
    if (message.kind === 'event') receiveEvent(message.data, message.id);
    else if (message.kind === 'lead') channel.post({ kind: 'watch', tab, topics: ownTopics });
    else if (message.kind === 'state' && (message.state !== state || message.missedEvents)) {
      silence.forget();
      setState(message.state, message.missedEvents || state !== 'live');
    } else if (leader.isLeading()) leader.receive(message);
  });
  takeLead({ signal: ends.signal, lead: leader.lead });
  channel.post({ kind: 'watch', tab, topics: ownTopics });

  return {
    watch(topics) {
      if (JSON.stringify(topics) === JSON.stringify(ownTopics)) return;
      ownTopics = topics;
      leader.settle();
      channel.post({ kind: 'watch', tab, topics });
    },
    tryNow() {
      if (leader.isLeading()) leader.tryNow();
      else channel.post({ kind: 'try' });
    },
    stop() {
      channel.post({ kind: 'closed', tab });
      channel.close();
      silence.stop();
      ends.abort();
    },
  };
}

interface LeaderOptions {
  channel: Channel;
  ownTopics: () => Topics;
  state: () => LiveState | undefined;
  open: (topics: () => Topics) => LiveStream;
}

/** What this tab does while it leads: it knows the topics of all tabs, and holds the stream for them. */
function createLeader({ channel, ownTopics, state, open }: LeaderOptions) {
  const watched = new Map<string, Topics>();
  let isLeading = false;
  let stream: LiveStream | undefined;
  /** Those that the stream was opened with. */
  let openTopics = '';
  let settling: ReturnType<typeof setTimeout> | undefined;

  function topicsOfAll(): Topics {
    const all = [ownTopics(), ...watched.values()];
    return {
      audiences: unique(all.map(({ audiences }) => audiences)),
      resources: unique(all.map(({ resources }) => resources)),
    };
  }
  function updateTopics() {
    settling = undefined;
    const topicsText = JSON.stringify(topicsOfAll());
    if (stream && topicsText === openTopics) return;
    openTopics = topicsText;
    if (stream) stream.reopen();
    else stream = open(topicsOfAll);
  }
  /** Opens the stream for the topics of now, once all tabs have said theirs. */
  function settle() {
    if (isLeading) settling ??= setTimeout(updateTopics, settleTime);
  }
  return {
    isLeading: () => isLeading,
    settle,
    tryNow: () => stream?.tryNow(),
    /** Returns what ends it. */
    lead() {
      isLeading = true;
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
        isLeading = false;
        clearInterval(asking);
        clearTimeout(settling);
        settling = undefined;
        stream?.close();
        stream = undefined;
      };
    },
    receive(message: Message) {
      if (message.kind === 'try') return stream?.tryNow();
      if (message.kind === 'watch') {
        watched.set(message.tab, message.topics);
        const now = state();
        if (now) channel.post({ kind: 'state', state: now, missedEvents: false });
      } else if (message.kind === 'closed') watched.delete(message.tab);
      settle();
    },
  };
}

interface SilenceOptions {
  /** Another tab leads, and its stream is open. */
  isFollowing: () => boolean;
  onChange: (isSilent: boolean) => void;
}

/** Notices that the leader forwards nothing any more, and that it does again. */
function watchSilence({ isFollowing, onChange }: SilenceOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;
  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isFollowing()) return;
      isSilent = true;
      onChange(true);
    }, longestSilence);
  }
  return {
    /** The leader has forwarded something. */
    end() {
      wait();
      if (isSilent) onChange(false);
      isSilent = false;
    },
    /** The leader has said its state, which replaces what is known here. */
    forget() {
      isSilent = false;
      wait();
    },
    stop: () => clearTimeout(timer),
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
