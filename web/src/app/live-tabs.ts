/**
 * One stream for all tabs of a browser. Whoever holds the lock leads: it holds the stream and passes everything on.
 * When it closes, the browser gives the lock to the next one, which goes on after the last event that it was told.
 */
import type { LiveStream } from './live-stream.ts';

/** What a tab shows and wants to be told of. */
export interface Topics {
  audiences: string[];
  resources: string[];
}

export type LiveState = 'live' | 'lost';

export type Message =
  | { kind: 'watch'; tab: string; topics: Topics }
  | { kind: 'closed'; tab: string }
  | { kind: 'lead' }
  | { kind: 'try' }
  | { kind: 'event'; data: string; id: string }
  /** `again`: what happened before is not told, it has to be read. */
  | { kind: 'state'; state: LiveState; again: boolean };

export interface Channel {
  listen(told: (message: Message) => void): void;
  post(message: Message): void;
  close(): void;
}

/** Gives the lead when it is free, until the signal ends it. */
export type TakeLead = (options: { signal: AbortSignal; lead: () => () => void }) => void;

export interface LiveTab {
  watch(topics: Topics): void;
  tryNow(): void;
  stop(): void;
}

/** The others say what they watch, and pages their parts: one stream for all that, not one for each. */
const settles = 100;

const unique = (lists: string[][]) => [...new Set(lists.flat())].toSorted();

export function joinTabs({
  tab,
  channel,
  takeLead,
  open,
  told,
  changed,
}: {
  /** An id of its own. */
  tab: string;
  channel: Channel;
  takeLead: TakeLead;
  open: (options: {
    topics: () => Topics;
    after: string | undefined;
    told: (data: string, id: string) => void;
    opened: (complete: boolean) => void;
    lost: () => void;
  }) => LiveStream;
  told: (data: string) => void;
  /** `again`: on the way to being live something may have been missed. */
  changed: (state: LiveState, again: boolean) => void;
}): LiveTab {
  const ends = new AbortController();
  let mine: Topics = { audiences: [], resources: [] };
  let state: LiveState | undefined;
  let last: string | undefined;
  let stream: LiveStream | undefined;
  let leads = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let asked = '';
  const watched = new Map<string, Topics>();

  function become(next: LiveState, again: boolean) {
    const missed = again || state !== 'live';
    state = next;
    changed(next, next === 'live' && missed);
  }
  function take(data: string, id: string) {
    if (id !== '') last = id;
    if (data !== '') told(data);
  }
  function announce(next: LiveState, again: boolean) {
    channel.post({ kind: 'state', state: next, again });
    become(next, again);
  }
  function topicsOfAll(): Topics {
    const all = [mine, ...watched.values()];
    return {
      audiences: unique(all.map(({ audiences }) => audiences)),
      resources: unique(all.map(({ resources }) => resources)),
    };
  }
  function settle() {
    if (leads) settling ??= setTimeout(ask, settles);
  }
  function ask() {
    settling = undefined;
    const wanted = JSON.stringify(topicsOfAll());
    if (stream && wanted === asked) return;
    asked = wanted;
    if (stream) stream.reopen();
    else stream = openMine();
  }
  const openMine = () =>
    open({
      topics: topicsOfAll,
      after: last,
      told(data, id) {
        channel.post({ kind: 'event', data, id });
        take(data, id);
      },
      opened: (complete) => announce('live', !complete),
      lost: () => announce('lost', false),
    });
  function lead() {
    leads = true;
    watched.clear();
    // those who are there answer with what they watch
    channel.post({ kind: 'lead' });
    settle();
    return () => {
      leads = false;
      clearTimeout(settling);
      settling = undefined;
      stream?.close();
      stream = undefined;
    };
  }

  channel.listen((message) => {
    if (message.kind === 'event') take(message.data, message.id);
    else if (message.kind === 'lead') channel.post({ kind: 'watch', tab, topics: mine });
    else if (message.kind === 'state' && (message.state !== state || message.again)) {
      become(message.state, message.again);
    } else if (leads) hear(message);
  });
  function hear(message: Message) {
    if (message.kind === 'try') return stream?.tryNow();
    if (message.kind === 'watch') {
      watched.set(message.tab, message.topics);
      if (state) channel.post({ kind: 'state', state, again: false });
    } else if (message.kind === 'closed') watched.delete(message.tab);
    settle();
  }
  takeLead({ signal: ends.signal, lead });
  channel.post({ kind: 'watch', tab, topics: mine });

  return {
    watch(topics) {
      if (JSON.stringify(topics) === JSON.stringify(mine)) return;
      mine = topics;
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
      ends.abort();
    },
  };
}
