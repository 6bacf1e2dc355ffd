import { beforeEach, expect, test } from 'vitest';
import { keepJobs } from './kept-jobs.ts';
import type { JobStore, KeptJob } from './kept-jobs.ts';

type Job = KeptJob<string, string, boolean>;
let kept: Map<string, unknown>;
let channels: EventTarget[];

const keysUnder = (prefix: string) => [...kept.keys()].filter((key) => key.startsWith(prefix)).toSorted();
const store: JobStore = {
  keep: async (key, value) => void kept.set(key, structuredClone(value)),
  keptUnder: async <Value>(prefix: string) => keysUnder(prefix).map((key) => structuredClone(kept.get(key)) as Value),
  forget: async (key) => void kept.delete(key),
  forgetUnder: async (prefix) => keysUnder(prefix).forEach((key) => kept.delete(key)),
};

/** As a browser gives them: in turn, and on when whoever has one goes. */
function locksOf() {
  const lines = new Map<string, { tab: object; run: () => unknown }[]>();
  let tab: object = {};
  const next = async (name: string) => {
    const first = lines.get(name)?.[0];
    if (!first) return;
    await first.run();
    leave(name, first.tab);
  };
  function leave(name: string, gone: object) {
    const line = lines.get(name) ?? [];
    const had = line[0]?.tab === gone;
    lines.set(
      name,
      line.filter((one) => one.tab !== gone),
    );
    if (had) void next(name);
  }
  const request = async (name: string, ...rest: unknown[]) => {
    const line = lines.get(name) ?? [];
    lines.set(name, [...line, { tab, run: rest.at(-1) as () => unknown }]);
    if (line.length === 0) void next(name);
  };
  return {
    for(one: object) {
      return {
        request: (async (...asked: [string, ...unknown[]]) => {
          tab = one;
          return request(...asked);
        }) as LockManager['request'],
      };
    },
    close: (one: object) => [...lines.keys()].forEach((name) => leave(name, one)),
  };
}

let locks: ReturnType<typeof locksOf>;
beforeEach(() => {
  kept = new Map();
  channels = [];
  locks = locksOf();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function openTab() {
  const target = new EventTarget();
  channels.push(target);
  const channel = {
    postMessage(data: unknown) {
      for (const other of channels) if (other !== target) other.dispatchEvent(new MessageEvent('message', { data }));
    },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  } as unknown as BroadcastChannel;
  const taken: Job[] = [];
  const jobs = keepJobs<string, string, boolean>({ name: 'answers:ann', store, locks: locks.for(target), channel });
  const stop = jobs.watch((job) => taken.push(job));
  return { ...jobs, taken, stop, close: () => locks.close(target) };
}
const job = { key: 'k1', about: 'accept', rows: ['a', 'b', 'c'] };

test('a job that was left behind goes on where it was, in the next tab that is opened', async () => {
  const first = openTab();
  first.begin(job);
  first.add('k1', [[0, true]]);
  first.add('k1', [[2, true]]);
  await settled();
  first.close();
  const second = openTab();
  await settled();
  expect(second.taken).toEqual([{ ...job, ends: new Map([0, 2].map((place) => [place, true])) }]);
});

test('another tab that is open takes over when the first one is closed, and not before', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await settled();
  first.begin(job);
  await settled();
  expect([...second.taken, ...third.taken]).toEqual([]);
  first.close();
  await settled();
  expect([second.taken.length, third.taken.length]).toEqual([1, 0]);
  second.add('k1', [[1, true]]);
  second.close();
  await settled();
  expect(third.taken[0]?.ends).toEqual(new Map([[1, true]]));
});

test('what has ended is nobody’s any more, and nothing of it is kept', async () => {
  const [first, second] = [openTab(), openTab()];
  first.begin(job);
  first.add('k1', [[0, true]]);
  await settled();
  first.end('k1');
  await settled();
  expect([second.taken, [...kept]]).toEqual([[], []]);
});

test('how it goes on is kept with it', async () => {
  const first = openTab();
  first.begin(job);
  await settled();
  first.change('k1', 'accept, paused');
  await settled();
  first.close();
  const second = openTab();
  await settled();
  expect(second.taken[0]?.about).toBe('accept, paused');
});

test('a browser that keeps nothing does the job all the same', async () => {
  const refuse = async () => Promise.reject(new Error('full'));
  const jobs = keepJobs({
    name: 'answers:ann',
    store: { keep: refuse, keptUnder: refuse, forget: refuse, forgetUnder: refuse },
    locks: undefined,
    channel: Object.assign(new EventTarget(), { postMessage: () => undefined }),
  });
  const taken: unknown[] = [];
  const stop = jobs.watch((taking) => taken.push(taking));
  jobs.begin({ key: 'k1', about: 'accept', rows: [] });
  jobs.add('k1', []);
  jobs.end('k1');
  await settled();
  stop();
  expect(taken).toEqual([]);
});
