import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OfflineError, ProblemError } from '../../../api/problem.ts';
import type { ImportPlan, KeptImport } from './import-plan.ts';
import type { Importer, ImportStore } from './import-state.ts';
import { createImporter } from './importer.ts';

const problem = (status: number, code = `http.${status}`) =>
  new ProblemError({ problem: { type: '', title: '', status, detail: 'why', code, request_id: '' } });

function fileOf(rows: number) {
  return new Blob([
    'name,type\n',
    ...Array.from({ length: rows }, (_, row) => `Device ${row},${row % 10 === 9 ? 'x' : 'pc'}\n`),
  ]);
}

const plan: ImportPlan = {
  id: 'job',
  user_id: 'ann',
  name: 'devices.csv',
  hash: 'hash',
  uses: ['name', 'machine_type'],
  fixes: {},
  rows: 90,
  changes: [],
};

/** A service that answers each key once, and a browser that keeps things and has tabs. */
function world() {
  const made = new Map<string, string>();
  let kept: KeptImport | undefined;
  let taken = false;
  let freed: () => void = () => {};
  const store: ImportStore = {
    load: async () => kept && { ...structuredClone({ ...kept, file: undefined }), file: kept.file },
    begin: async (begun) => void (kept = begun),
    save: async (going) => void (kept = kept && { ...kept, ...structuredClone(going) }),
    end: async () => void (kept = undefined),
  };
  /** `answer` may refuse, or never come. */
  function tab(answer: (key: string) => Promise<void> = async () => {}) {
    const pauses: number[] = [];
    const release = () => {
      taken = false;
      freed();
    };
    let time = 0;
    const importer = createImporter({
      store,
      async send({ device, key, change }) {
        await answer(key);
        made.set(key, change ? `${change.id}: ${JSON.stringify(change.body)}` : device.name);
        return { user_id: 'ann' };
      },
      lock: {
        async take() {
          if (taken) return null;
          taken = true;
          return release;
        },
        free: () => new Promise((resolve) => (freed = resolve)),
      },
      // every look at the clock takes long enough for everything to be told and kept
      now: () => (time += 1000),
      pause: async (seconds) => void pauses.push(seconds),
      onDevices: () => {},
    });
    const until = (phase: string) =>
      new Promise<void>((resolve) => {
        const look = () => importer.state()?.phase === phase && resolve();
        importer.subscribe(look);
        look();
      });
    return { importer, pauses, until, close: release };
  }
  return { made, store, tab, kept: () => kept };
}

test('every good row is sent once, under a key of job and line, and nothing is kept after it', async () => {
  const { made, tab, kept } = world();
  const { importer } = tab();
  await importer.start(plan, fileOf(100));
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90, notTaken: [] });
  expect(made.size).toBe(90);
  expect(made.get('job-2')).toBe('Device 0');
  expect(made.has('job-11')).toBe(false);
  expect(kept()).toBeUndefined();
});

test('paused it sends no more, and goes on with the rest', async () => {
  const { made, tab, kept } = world();
  const { importer } = tab(async () => {
    if (made.size === 40) importer.pause();
  });
  await importer.start(plan, fileOf(100));
  expect(importer.state()?.phase).toBe('paused');
  expect(kept()?.paused).toBe(true);
  expect(made.size).toBeLessThan(60);
  await importer.resume();
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90 });
  expect(made.size).toBe(90);
});

test('what somebody had paused waits in the next tab, also for a file that is not kept', async () => {
  const { made, tab, store } = world();
  await store.begin({ plan, progress: { before: 50, made: 44, notTaken: [] }, paused: true, at: 0, file: undefined });
  const { importer } = tab();
  await importer.open();
  expect(importer.state()).toMatchObject({ phase: 'paused', made: 44 });
  await importer.resume();
  expect(importer.state()?.phase).toBe('paused');
  await importer.resume(fileOf(100));
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90 });
  expect(made.size).toBe(46);
});

test('wherever tabs are closed, in the end every row is there once and counted once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 5 }), async (closings) => {
      const { made, tab, kept } = world();
      const begin = ({ start, open }: Importer) => (kept() ? open() : start(plan, fileOf(100)));
      for (const after of closings) {
        let answered = 0;
        const cut = Promise.withResolvers<void>();
        // what a closed tab had sent arrives or does not; its answers are heard by nobody
        const { importer, close, until } = tab(async (key) => {
          answered += 1;
          if (answered <= after) return;
          if (answered % 2) made.set(key, 'arrived');
          cut.resolve();
          await new Promise(() => {});
        });
        void begin(importer);
        await Promise.race([cut.promise, until('done')]);
        close();
        if (!kept()) {
          expect(made.size).toBe(90);
          return;
        }
      }
      const { importer, until } = tab();
      void begin(importer);
      await until('done');
      expect(made.size).toBe(90);
      expect(importer.state()?.made).toBe(90);
    }),
    { numRuns: 40 },
  );
});

test('a row that the service refuses is told, and costs the others nothing', async () => {
  const { tab } = world();
  const { importer } = tab(async (key) => {
    if (key === 'job-7') throw problem(400, 'body.invalid');
  });
  await importer.start(plan, fileOf(100));
  expect(importer.state()).toMatchObject({
    phase: 'done',
    made: 89,
    notTaken: [{ line: 7, name: 'Device 5', code: 'body.invalid', detail: 'why' }],
  });
});

test('a server that starts anew is waited for, and a key still being answered asked for again', async () => {
  const { tab, made } = world();
  const errors = [new OfflineError(), problem(503), problem(409, 'idempotency.in_flight')];
  const { importer, pauses } = tab(async () => {
    const error = errors.shift();
    if (error) throw error;
  });
  await importer.start(plan, fileOf(100));
  expect(pauses).toEqual([3, 3, 1]);
  expect(importer.state()).toMatchObject({ phase: 'done', waiting: false });
  expect(made.size).toBe(90);
});

test('what the next row would meet too pauses it, with the reason', async () => {
  const { tab, kept, made } = world();
  let full = true;
  const { importer } = tab(async () => {
    if (full && made.size >= 20) throw problem(507, 'storage.full');
  });
  await importer.start(plan, fileOf(100));
  expect(importer.state()).toMatchObject({ phase: 'paused', notTaken: [], error: { code: 'storage.full' } });
  expect(kept()?.paused).toBe(false);
  full = false;
  await importer.resume();
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90, error: null });
});

test('stopped, what is in stays and the rest is forgotten', async () => {
  const { tab, kept, made } = world();
  const { importer, until } = tab(async () => {
    if (made.size === 20) void importer.stop();
  });
  await importer.start(plan, fileOf(100));
  await until('stopped');
  expect(made.size).toBeLessThan(40);
  expect(kept()).toBeUndefined();
  importer.dismiss();
  expect(importer.state()).toBeNull();
});

test('a second tab leaves it to the first, and takes it up when that is closed', async () => {
  const { tab, made } = world();
  const first = tab(async () => {
    if (made.size >= 20) await new Promise(() => {});
  });
  void first.importer.start(plan, fileOf(100));
  await first.until('running');
  const second = tab();
  await second.importer.open();
  await second.until('elsewhere');
  first.close();
  await second.until('done');
  expect(made.size).toBe(90);
  expect(second.importer.state()?.made).toBe(90);
});

test('after more than a day it asks before it goes on: keys are forgotten by then', async () => {
  const { tab, store } = world();
  const progress = { before: 50, made: 44, notTaken: [] };
  await store.begin({ plan, progress, paused: false, at: -24 * 3_600_000, file: fileOf(100) });
  const { importer } = tab();
  await importer.open();
  expect(importer.state()).toMatchObject({ phase: 'paused', stale: true });
  await importer.resume();
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90, stale: false });
});

test('a row with an id changes its device, in the columns of the file, or is left alone', async () => {
  const { made, tab } = world();
  const { importer } = tab();
  const file = new Blob(['id,name,type,note\ni1,one,pc,\ni2,two,pc,d\n,three,bug,\n']);
  const uses = ['id', 'name', 'machine_type', 'description'] as const;
  await importer.start({ ...plan, uses, rows: 2, changes: [2] }, file);
  expect(Object.fromEntries(made)).toEqual({
    'job-2': 'i1: {"name":"one","machine_type":"pc","description":null}',
    'job-4': 'three',
  });
});

test('pressed twice it is one import, and goes on once', async () => {
  const { tab, made } = world();
  const { importer } = tab(async () => {
    if (made.size === 20) importer.pause();
  });
  await Promise.all([importer.start(plan, fileOf(100)), importer.start({ ...plan, id: 'other' }, fileOf(100))]);
  expect(importer.state()?.phase).toBe('paused');
  await Promise.all([importer.resume(), importer.resume()]);
  expect(importer.state()).toMatchObject({ phase: 'done', made: 90 });
  expect(made.size).toBe(90);
});

test('a browser that keeps nothing imports all the same, and says that it keeps nothing', async () => {
  const { tab, store, made } = world();
  store.begin = store.save = store.end = () => Promise.reject(new Error('full'));
  const { importer } = tab();
  await importer.start(plan, fileOf(100));
  expect(importer.state()).toMatchObject({ phase: 'done', kept: false });
  expect(made.size).toBe(90);
});
