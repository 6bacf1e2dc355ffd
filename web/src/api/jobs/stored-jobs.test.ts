import { beforeEach, expect, test } from 'vitest';
import { createFakeBrowser } from './stored-jobs.fixture.ts';
import { storeJobs } from './stored-jobs.ts';
import type { StoredJob } from './stored-jobs.ts';

let browser: ReturnType<typeof createFakeBrowser>;
beforeEach(() => {
  browser = createFakeBrowser();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function openTab() {
  const tab = browser.openTab();
  const taken: StoredJob<string, string[], boolean>[] = [];
  const elsewhere = new Set<string>();
  const jobs = tab.storeJobs<string, string[], boolean>('answers:ann');
  const stop = jobs.watch({
    take: (job) => taken.push(job),
    elsewhere: ({ key }) => elsewhere.add(key),
    ended: (key) => elsewhere.delete(key),
  });
  return { ...jobs, taken, elsewhere, stop, close: tab.close };
}
const job = { key: 'k1', about: 'accept', source: ['a', 'b', 'c'] };
const begin = (tab: ReturnType<typeof openTab>) => void tab.begin(job);

test('an interrupted job continues in the next tab that is opened', async () => {
  const first = openTab();
  begin(first);
  await first.add('k1', [[0, true]], 5);
  await first.add('k1', [[2, true]], 9);
  await settled();
  first.close();
  const second = openTab();
  await settled();
  expect(second.taken).toEqual([{ ...job, results: new Map([0, 2].map((index) => [index, true])), at: 9 }]);
});

test('another open tab takes over when the first one is closed, and not before', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await settled();
  begin(first);
  await settled();
  expect([...second.taken, ...third.taken]).toEqual([]);
  expect([...second.elsewhere]).toEqual(['k1']);
  first.close();
  await settled();
  expect([second.taken.length, third.taken.length]).toEqual([1, 0]);
  await second.add('k1', [[1, true]], 9);
  second.close();
  await settled();
  expect(third.taken[0]?.results).toEqual(new Map([[1, true]]));
});

test('a continued job keeps the results of the tab before it', async () => {
  const first = openTab();
  begin(first);
  await first.add('k1', [[0, true]], 5);
  await first.add('k1', [[1, false]], 6);
  await settled();
  first.close();
  const second = openTab();
  await settled();
  await second.add('k1', [[2, true]], 9);
  second.close();
  const third = openTab();
  await settled();
  expect(third.taken[0]?.results).toEqual(
    new Map([
      [0, true],
      [1, false],
      [2, true],
    ]),
  );
});

test('an ended job is deleted', async () => {
  const [first, second] = [openTab(), openTab()];
  begin(first);
  await first.add('k1', [[0, true]], 5);
  await settled();
  first.end('k1');
  await settled();
  expect([second.taken, [...second.elsewhere], [...browser.values]]).toEqual([[], [], []]);
});

test('changes of a job are stored with it', async () => {
  const first = openTab();
  begin(first);
  await settled();
  await first.change('k1', 'accept, paused');
  await settled();
  first.close();
  const second = openTab();
  await settled();
  expect(second.taken[0]?.about).toBe('accept, paused');
});

test('storing fails without storage, and no job continues', async () => {
  const reject = async () => Promise.reject(new Error('full'));
  const jobs = storeJobs<string, string[], boolean>({
    name: 'answers:ann',
    store: { putValue: reject, getValues: reject, deleteValues: reject },
    locks: undefined,
    channel: Object.assign(new EventTarget(), { postMessage: () => undefined }),
  });
  const taken: unknown[] = [];
  const stop = jobs.watch({ take: (job) => taken.push(job), elsewhere: () => undefined, ended: () => undefined });
  await expect(jobs.begin(job)).rejects.toThrow('full');
  await expect(jobs.add('k1', [], 0)).rejects.toThrow('full');
  jobs.end('k1');
  await settled();
  stop();
  expect(taken).toEqual([]);
});
