import { beforeEach, describe, expect, it, vi } from 'vitest';
import { joinTabs, type Channel, type LiveTab, type Message, type TakeLead, type Topics } from './live-tabs.ts';

/** A stream that a tab of the fake browser has opened. */
interface Stream {
  by: string;
  topics: () => Topics;
  after: string | undefined;
  onEvent: (data: string, id: string) => void;
  opened: (complete: boolean) => void;
  disconnected: () => void;
  reopened: number;
  closed: boolean;
}
let channels: Set<(message: Message) => void>;
let waiting: { lead: () => () => void }[];
let held: boolean;
let streams: Stream[];
let log: string[];
beforeEach(() => {
  vi.useFakeTimers();
  channels = new Set();
  waiting = [];
  held = false;
  streams = [];
  log = [];
});

function createChannel(): Channel {
  let listen: Parameters<Channel['listen']>[0] = () => {};
  const receive = (message: Message) => listen(structuredClone(message));
  channels.add(receive);
  return {
    listen: (listener) => (listen = listener),
    post(message) {
      for (const other of channels) if (other !== receive) other(message);
    },
    close: () => channels.delete(receive),
  };
}

const takeLead: TakeLead = ({ signal, lead }) => {
  const entry = {
    lead: () => {
      held = true;
      const stop = lead();
      signal.addEventListener('abort', () => {
        stop();
        held = false;
        waiting.shift()?.lead();
      });
      return stop;
    },
  };
  if (!held) entry.lead();
  else {
    waiting.push(entry);
    signal.addEventListener('abort', () => (waiting = waiting.filter((each) => each !== entry)));
  }
};

function openTab(name: string, position?: string): LiveTab {
  return joinTabs({
    tab: name,
    channel: createChannel(),
    takeLead,
    firstPosition: () => position,
    open(options) {
      const stream: Stream = { ...options, by: name, reopened: 0, closed: false };
      streams.push(stream);
      return {
        reopen: () => (stream.reopened += 1),
        tryNow: () => log.push(`${name} tries`),
        close: () => (stream.closed = true),
      };
    },
    onEvent: (data) => log.push(`${name}: ${data}`),
    changed: (state, missedEvents) => log.push(`${name}: ${state}${missedEvents ? ' again' : ''}`),
  });
}
const settle = () => vi.advanceTimersByTime(100);
const own = { audiences: ['own'], resources: [] };

describe('tabs of one browser', () => {
  it('share one stream with the topics of all tabs', () => {
    openTab('a').watch(own);
    openTab('b').watch({ audiences: ['own', 'swarm:1'], resources: ['r1'] });
    settle();
    openTab('c').watch({ audiences: [], resources: ['r0'] });
    settle();
    expect(streams.map(({ by }) => by)).toEqual(['a']);
    expect(streams[0]!.topics()).toEqual({ audiences: ['own', 'swarm:1'], resources: ['r0', 'r1'] });
    expect(streams[0]!.reopened).toBe(1);
  });

  it('are forgotten if they were discarded without closing', () => {
    openTab('a').watch(own);
    const before = new Set(channels);
    openTab('b').watch({ audiences: [], resources: ['r1'] });
    settle();
    expect(streams[0]!.topics()).toEqual({ audiences: ['own'], resources: ['r1'] });
    channels = before;
    vi.advanceTimersByTime(300_000);
    settle();
    expect(streams[0]!.topics()).toEqual(own);
  });

  it('poll while the leader is suspended, and read again what they missed when it is back', () => {
    openTab('a');
    openTab('b');
    settle();
    streams[0]!.opened(false);
    streams[0]!.onEvent('', 'p-1');
    vi.advanceTimersByTime(17_000);
    streams[0]!.onEvent('', 'p-2');
    vi.advanceTimersByTime(29_000);
    log = [];
    vi.advanceTimersByTime(2000);
    expect(log).toEqual(['b: disconnected']);
    streams[0]!.onEvent('news', 'p-3');
    expect(log).toEqual(['b: disconnected', 'b: live again', 'b: news', 'a: news']);
  });

  it('all receive the events and the connection status', () => {
    openTab('a');
    openTab('b');
    settle();
    streams[0]!.opened(false);
    streams[0]!.onEvent('news', 'p-1');
    streams[0]!.onEvent('', 'p-2');
    openTab('c');
    streams[0]!.disconnected();
    expect(log).toEqual([
      'b: live again',
      'a: live again',
      'b: news',
      'a: news',
      'c: live again',
      'b: disconnected',
      'c: disconnected',
      'a: disconnected',
    ]);
  });

  it('ask the tab with the stream to retry immediately', () => {
    openTab('a');
    const other = openTab('b');
    settle();
    other.tryNow();
    expect(log).toEqual(['a tries']);
  });

  it('refetch nothing if the stream continues after the position of their data', () => {
    openTab('a', 'p-4');
    settle();
    expect(streams[0]!.after).toBe('p-4');
    streams[0]!.opened(true);
    openTab('b', 'p-4');
    expect(log).toEqual(['a: live', 'b: live again']);
  });

  it('refetch only if events may have been missed', () => {
    openTab('a');
    openTab('b');
    settle();
    streams[0]!.opened(false);
    log = [];
    streams[0]!.opened(true);
    expect(log).toEqual(['a: live']);
    streams[0]!.opened(false);
    expect(log).toEqual(['a: live', 'b: live again', 'a: live again']);
  });
});

describe('when the tab with the stream closes', () => {
  it('another tab continues after the last event, with the topics of the open tabs', () => {
    const first = openTab('a');
    first.watch(own);
    openTab('b').watch({ audiences: [], resources: ['r1'] });
    openTab('c').watch({ audiences: [], resources: ['r2'] });
    settle();
    streams[0]!.opened(false);
    streams[0]!.onEvent('one', 'p-1');
    streams[0]!.onEvent('', 'p-2');
    log = [];
    first.stop();
    settle();
    expect(streams.map(({ by, after, closed }) => [by, after, closed])).toEqual([
      ['a', undefined, true],
      ['b', 'p-2', false],
    ]);
    expect(streams[1]!.topics()).toEqual({ audiences: [], resources: ['r1', 'r2'] });
    streams[1]!.opened(true);
    streams[1]!.onEvent('two', 'p-3');
    expect(log).toEqual(['b: live', 'c: two', 'b: two']);
  });

  it('a tab that was never live refetches, because it may have missed events before those that it received', () => {
    const first = openTab('a');
    settle();
    streams[0]!.opened(false);
    first.stop();
    streams = [];
    const leader = openTab('b', 'p-1');
    settle();
    openTab('c', 'p-1');
    streams[0]!.onEvent('one', 'p-2');
    leader.stop();
    settle();
    expect(streams[1]!.after).toBe('p-2');
    log = [];
    streams[1]!.opened(true);
    expect(log).toEqual(['c: live again']);
  });

  it('a closed tab does not take over the stream', () => {
    const first = openTab('a');
    openTab('b').stop();
    openTab('c');
    first.stop();
    settle();
    expect(streams.map(({ by }) => by)).toEqual(['c']);
  });
});

it('the topics of a closed tab are not watched', () => {
  openTab('a').watch(own);
  const other = openTab('b');
  other.watch({ audiences: ['swarm:1'], resources: [] });
  settle();
  other.stop();
  settle();
  expect(streams[0]!.topics()).toEqual(own);
  expect(streams[0]!.reopened).toBe(1);
});
