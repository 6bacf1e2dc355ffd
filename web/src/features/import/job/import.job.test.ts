import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OfflineError, ProblemError } from '../../../api/problem.ts';
import { QueryClient } from '@tanstack/react-query';
import { createFakeBrowser } from '../../../api/jobs/stored-jobs.fixture.ts';
import { createdBy, createImport, failedRows, madeBy, phaseOf } from './import.job.tsx';
import type { ImportPhase, ImportPlan } from './import.job.tsx';

const problem = (status: number, code = `http.${status}`) =>
  new ProblemError({ problem: { type: '', title: '', status, detail: 'why', code, request_id: '' } });

function fileOf(rows: number) {
  return new Blob([
    'name,type\n',
    ...Array.from({ length: rows }, (_, row) => `Device ${row},${row % 10 === 9 ? 'x' : 'pc'}\n`),
  ]);
}

const plan: ImportPlan = {
  user_id: 'ann',
  name: 'devices.csv',
  hash: 'hash',
  uses: ['name', 'machine_type'],
  fixes: {},
  rows: 90,
  changes: [],
};
const hour = 3_600_000;

/** A service that executes each key once, and a browser with tabs. */
function world() {
  const made = new Map<string, string>();
  const browser = createFakeBrowser();
  let started = 0;
  /** `answer` may throw, or never resolve. */
  function tab(answer: (key: string) => Promise<void> = async () => {}, { now = 0 } = {}) {
    const waits: number[] = [];
    const { storeJobs, close } = browser.openTab();
    const store = storeJobs<ImportPlan & { paused: boolean }, Blob, 'sent'>('import:ann');
    const jobs = createImport({
      client: new QueryClient(),
      store,
      newKey: () => `${(started += 1)}`,
      async send({ device, key, change }) {
        await answer(key);
        made.set(key, change ? `${change.id}: ${JSON.stringify(change.body)}` : device.name);
        return { id: key, user_id: 'ann' };
      },
      now: () => now,
      wait: async (seconds) => void waits.push(seconds),
      reportEvery: 0,
    });
    const phase = () => {
      const job = jobs.current();
      return job && phaseOf(job);
    };
    const until = (wanted: ImportPhase) =>
      new Promise<void>((resolve) => {
        const look = () => phase() === wanted && resolve();
        jobs.subscribe(look);
        look();
      });
    const start = (about = plan, source = fileOf(100)) => void jobs.start({ about, source });
    const made_ = () => madeBy(jobs.current()!);
    return { jobs, waits, until, phase, start, close, made: made_, open: () => void jobs.resumeStored() };
  }
  return { made, tab, browser, isStored: () => browser.values.size > 0 };
}
/** A busy machine needs longer than the second that is the default. */
const poll = { timeout: 30_000 };
const pauseTime = () => new Promise((resolve) => setTimeout(resolve, 20));

test('every valid row is sent once, with a key of job and line, and the stored job is deleted', async () => {
  const { made, tab, isStored } = world();
  const one = tab();
  one.start();
  await one.until('done');
  expect([one.made(), made.size]).toEqual([90, 90]);
  expect(made.get('import:1-2')).toBe('Device 0');
  expect(made.has('import:1-11')).toBe(false);
  await expect.poll(isStored, poll).toBe(false);
});

test('a paused import sends nothing, and continues with the rest', async () => {
  const { made, tab } = world();
  const one = tab(async () => {
    if (made.size === 40) one.jobs.pause('import:1');
  });
  one.start();
  await one.until('paused');
  expect(made.size).toBeLessThan(60);
  one.jobs.resume('import:1');
  await one.until('done');
  expect([one.made(), made.size]).toEqual([90, 90]);
});

test('a paused import stays paused in the next tab, which needs the file if it is not stored', async () => {
  const { made, tab, browser } = world();
  const first = tab(async () => {
    if (made.size === 40) first.jobs.pause('import:1');
  });
  first.start();
  await first.until('paused');
  await pauseTime();
  browser.values.delete('import:ann/rows/import:1');
  first.close();
  const second = tab();
  second.open();
  await second.until('paused');
  const before = made.size;
  expect(second.made()).toBe(before);
  second.jobs.resume('import:1');
  expect(second.phase()).toBe('paused');
  second.jobs.resume('import:1', fileOf(100));
  await second.until('done');
  expect([second.made(), made.size]).toEqual([90, 90]);
});

test('every row is created once and counted once, whenever tabs are closed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 5 }), async (closings) => {
      const { made, tab, isStored } = world();
      const begin = (one: ReturnType<typeof tab>) => (isStored() ? one.open() : one.start());
      for (const after of closings) {
        let answered = 0;
        const cut = Promise.withResolvers<void>();
        // The requests of a closed tab may or may not arrive; their responses are lost.
        const one = tab(async (key) => {
          answered += 1;
          if (answered <= after) return;
          if (answered % 2) made.set(key, 'arrived');
          cut.resolve();
          await new Promise(() => {});
        });
        begin(one);
        await Promise.race([cut.promise, one.until('done')]);
        await pauseTime();
        one.close();
        if (!isStored()) {
          expect(made.size).toBe(90);
          return;
        }
      }
      const last = tab();
      begin(last);
      await last.until('done');
      expect(made.size).toBe(90);
      expect(last.made()).toBe(90);
      expect(new Set(createdBy(last.jobs.current()!)), 'the ids of the devices outlive their tabs').toEqual(
        new Set(made.keys()),
      );
    }),
    { numRuns: 40 },
  );
});

test('a row that the service rejects is listed and does not stop the others', async () => {
  const { tab } = world();
  const one = tab(async (key) => {
    if (key === 'import:1-7') throw problem(400, 'body.invalid');
  });
  one.start();
  await one.until('done');
  expect(one.made()).toBe(89);
  expect(failedRows(one.jobs.current()!)).toEqual([{ line: 7, name: 'Device 5', code: 'body.invalid', detail: 'why' }]);
});

test('the import waits for a server that restarts, and retries a key that is in flight', async () => {
  const { tab, made } = world();
  const errors = [new OfflineError(), problem(503), problem(409, 'idempotency.in_flight')];
  const one = tab(async () => {
    const error = errors.shift();
    if (error) throw error;
  });
  one.start();
  await one.until('done');
  expect(one.waits).toEqual([3, 3, 1]);
  expect([one.jobs.current()?.isUnreachable, made.size]).toEqual([false, 90]);
});

test('an error that would fail every row pauses the import with the reason', async () => {
  const { tab, made } = world();
  let isFull = true;
  const one = tab(async () => {
    if (isFull && made.size >= 20) throw problem(507, 'storage.full');
  });
  one.start();
  await one.until('paused');
  expect(one.jobs.current()).toMatchObject({ failed: 0, pauseError: { code: 'storage.full' } });
  isFull = false;
  one.jobs.resume('import:1');
  await one.until('done');
  expect([one.made(), one.jobs.current()?.pauseError]).toEqual([90, null]);
});

test('a stopped import keeps the created devices and deletes the stored job', async () => {
  const { tab, isStored, made } = world();
  const one = tab(async () => {
    if (made.size === 20) one.jobs.stop('import:1');
  });
  one.start();
  await one.until('stopped');
  await expect.poll(isStored, poll).toBe(false);
  expect(made.size).toBeLessThan(40);
  one.jobs.dismiss();
  expect(one.jobs.current()).toBeUndefined();
});

test('a second tab shows the import of the first, and continues it when the first is closed', async () => {
  const { tab, made } = world();
  const first = tab(async () => {
    if (made.size >= 20) await new Promise(() => {});
  });
  first.start();
  await first.until('running');
  await pauseTime();
  const second = tab();
  second.open();
  await second.until('elsewhere');
  first.close();
  await second.until('done');
  expect([made.size, second.made()]).toEqual([90, 90]);
});

test('an import that is more than a day old is paused, because the service has forgotten its idempotency keys', async () => {
  const { tab, made, browser } = world();
  const first = tab(
    async () => {
      if (made.size >= 20) await new Promise(() => {});
    },
    { now: hour },
  );
  first.start();
  // The age of a job is the time of its last stored result.
  const isResultStored = () => [...browser.values.keys()].some((key) => key.includes('/ends/'));
  await expect.poll(isResultStored, poll).toBe(true);
  first.close();
  const second = tab(undefined, { now: 25 * hour });
  second.open();
  await second.until('paused');
  expect(second.jobs.current()?.isStale).toBe(true);
  second.jobs.resume('import:1');
  await second.until('done');
  expect([second.made(), second.jobs.current()?.isStale]).toEqual([90, false]);
});

test('a row with an id updates the columns of its device that are in the file', async () => {
  const { made, tab } = world();
  const one = tab();
  const file = new Blob(['id,name,type,note\ni1,one,pc,\ni2,two,pc,d\n,three,bug,\n']);
  const uses = ['id', 'name', 'machine_type', 'description'] as const;
  one.start({ ...plan, uses, rows: 2, changes: [2] }, file);
  await one.until('done');
  expect(Object.fromEntries(made)).toEqual({
    'import:1-2': 'i1: {"name":"one","machine_type":"pc","description":null}',
    'import:1-4': 'three',
  });
});

test('an import that is started and resumed twice runs once', async () => {
  const { tab, made } = world();
  const one = tab(async () => {
    if (made.size === 20) one.jobs.pause('import:1');
  });
  one.start();
  one.start();
  await one.until('paused');
  one.jobs.resume('import:1');
  one.jobs.resume('import:1');
  await one.until('done');
  expect([one.made(), made.size]).toEqual([90, 90]);
});
