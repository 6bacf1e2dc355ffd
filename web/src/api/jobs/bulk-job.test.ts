import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createPendingActions } from '../pending-actions.ts';
import { OfflineError, ProblemError } from '../problem.ts';
import { createBulkJob, linesOf, retryAfter } from './bulk-job.ts';
import type { BulkJobEnvironment, BulkJobKind } from './bulk-job.ts';

beforeEach(() => void vi.useFakeTimers());

interface Row {
  id: string;
}
type About = { role: string };
type Store = NonNullable<BulkJobEnvironment<About, readonly Row[]>['store']>;
type Watcher = Parameters<Store['watch']>[0];

const problem = (status: number, code = `http.${status}`, wait: number | null = null) =>
  new ProblemError({ problem: { type: '', title: '', status, detail: 'why', code, request_id: '' }, retryAfter: wait });
const rowsFor = (...ids: string[]): Row[] => ids.map((id) => ({ id }));
const manyRows = (count: number) => rowsFor(...Array.from({ length: count }, (_, number) => `${number}`));
const about: About = { role: 'producer' };

/** `answer` throws, or returns how long the request takes, in ms. */
function setUp(
  kind: Partial<BulkJobKind<About, Row, readonly Row[], unknown>> = {},
  answer: (id: string) => number | Promise<number> = () => 0,
) {
  const pending = createPendingActions();
  const sent: string[] = [];
  const keys: string[] = [];
  const stored: string[] = [];
  const ended: string[] = [];
  const keepalives: boolean[] = [];
  let number = 0;
  let watcher: Watcher | undefined;
  const store: Store = {
    prepare: () => undefined,
    begin: async ({ source }) => void stored.push(`begin ${source.length}`),
    change: async (_key, { paused }) => void stored.push(paused ? 'pause' : 'resume'),
    add: async (_key, results) => void stored.push(`add ${results.length}`),
    end: () => stored.push('end'),
    watch(listener) {
      watcher = listener;
      return () => undefined;
    },
  };
  const jobs = createBulkJob<About, Row>({
    client: new QueryClient(),
    pending,
    store,
    newKey: () => `${(number += 1)}`,
    now: () => 24 * 3_600_000,
    name: 'job',
    idOf: ({ id }) => id,
    labelOf: (key) => ({ label: key }),
    async send({ id }, { key, keepalive }) {
      const ms = await answer(id);
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      sent.push(id);
      keys.push(key);
      keepalives.push(keepalive);
    },
    onEnd: ({ results, failed, error }) =>
      ended.push(`${results.size} ${failed}${error instanceof Error ? ` ${error.name}` : ''}`),
    ...kind,
  });
  const start = (source: Row[]) => void jobs.start({ about, source });
  jobs.resumeStored();
  const take = (job: Partial<Parameters<Watcher['take']>[0]>) =>
    watcher?.take({
      ...{
        key: 'job:9',
        about: { ...about, paused: false },
        source: rowsFor('a', 'b', 'c'),
        results: new Map(),
        at: 0,
      },
      ...job,
    });
  return { jobs, pending, sent, keys, keepalives, stored, ended, start, take, watcher: () => watcher! };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('sending', () => {
  test('each row is sent once, 200 at a time, with a key of job and row', async () => {
    let [now, most] = [0, 0];
    const { start, sent, keys } = setUp({}, async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 10));
      now -= 1;
      return 0;
    });
    start(manyRows(1000));
    await pass(1000);
    expect(most).toBe(200);
    expect(sent.toSorted()).toEqual(
      manyRows(1000)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(keys.slice(0, 2)).toEqual(['job:1-0', 'job:1-1']);
  });

  test('progress is reported in batches', async () => {
    const { jobs, start, stored } = setUp({}, () => 100);
    start(manyRows(2500));
    await pass(1050);
    expect(jobs.current()?.results.size).toBe(0);
    await pass(100);
    expect(jobs.current()?.results.size).toBe(2000);
    await pass(5000);
    expect(stored.filter((line) => line.startsWith('add')).length).toBeLessThan(5);
  });

  test('a failed row does not stop the others', async () => {
    const { start, ended, sent } = setUp({}, (id) => {
      if (id === 'b') throw problem(404);
      return 0;
    });
    start(rowsFor('a', 'b', 'c'));
    await pass(100);
    expect([sent, ended]).toEqual([['a', 'c'], ['3 1 ProblemError']]);
  });

  test('a job waits for the Retry-After of a busy server, and for a server that restarts', async () => {
    const errors = [problem(429, 'rate', 7), new OfflineError(), problem(503), problem(409, 'idempotency.in_flight')];
    const { jobs, start, sent } = setUp({}, () => {
      const error = errors.shift();
      if (error) throw error;
      return 0;
    });
    start(rowsFor('a', 'b', 'c', 'd'));
    await pass(500);
    expect(jobs.current()?.isUnreachable).toBe(true);
    await pass(500);
    expect(sent).toEqual(['d']);
    await pass(2000);
    expect(sent).toEqual(['d', 'b', 'c']);
    await pass(5000);
    expect(sent).toEqual(['d', 'b', 'c', 'a']);
  });

  test('a single request fails at once if the server cannot be reached', () => {
    expect(retryAfter(new OfflineError(), false)).toBeNull();
    expect(retryAfter(problem(429), false)).toBe(1);
    expect(retryAfter(problem(503), true)).toBe(3);
    expect(retryAfter(problem(401, 'session.missing'), true)).toBe(3);
    expect(retryAfter(problem(409), true)).toBeNull();
    expect(retryAfter(problem(409, 'idempotency.in_flight', 2), true)).toBe(2);
  });
});

describe('pause and stop', () => {
  test('a paused job gets the answers of sent requests and sends nothing; it continues when it is resumed', async () => {
    const { jobs, start, stored } = setUp({}, () => 100);
    start(manyRows(2500));
    await pass(250);
    jobs.pause('job:1');
    jobs.pause('job:1');
    expect(jobs.job('job:1')).toMatchObject({ state: 'paused', isBusy: true, pauseError: null });
    await pass(10_000);
    expect(jobs.job('job:1')).toMatchObject({ state: 'paused', isBusy: false, results: { size: 600 } });
    jobs.resume('job:1');
    await pass(10_000);
    expect(jobs.job('job:1')).toBeUndefined();
    expect(stored.filter((line) => /pause|resume/.test(line))).toEqual(['pause', 'resume']);
  });

  test('a stopped job ends even while it waits for the server', async () => {
    const { jobs, start, ended, sent } = setUp({}, () => {
      throw new OfflineError();
    });
    start(manyRows(2500));
    await pass(1000);
    jobs.stop('job:1');
    await pass(1);
    expect([sent, ended, jobs.jobs()]).toEqual([[], ['0 0'], []]);
  });

  test('a paused job that is stopped ends', async () => {
    const { jobs, start, ended } = setUp({}, () => 100);
    start(manyRows(2500));
    await pass(50);
    jobs.pause('job:1');
    await pass(1000);
    jobs.stop('job:1');
    await pass(1);
    expect(ended).toEqual(['200 0']);
  });

  test('an error that would fail every row pauses the job, and the row is sent again', async () => {
    let isFull = true;
    const { jobs, start, sent, stored } = setUp(
      { pausesOn: (error) => (error as ProblemError).problem.status === 507 },
      () => {
        if (isFull) throw problem(507, 'storage.full');
        return 0;
      },
    );
    start(rowsFor('a', 'b'));
    await pass(100);
    expect(jobs.job('job:1')).toMatchObject({ state: 'paused', isBusy: false, pauseError: { code: 'storage.full' } });
    expect(stored, 'the stored job is not paused').toContain('resume');
    isFull = false;
    jobs.resume('job:1');
    await pass(100);
    expect(sent.toSorted()).toEqual(['a', 'b']);
  });
});

describe('undo', () => {
  const undoable = { isUndoable: true };

  test('a job is sent ten seconds after it was started', async () => {
    const { jobs, pending, start, sent } = setUp(undoable);
    start(rowsFor('a', 'b'));
    expect(pending.items()).toMatchObject([{ key: 'job:1', phase: 'pending' }]);
    expect(jobs.jobOf('b')).toMatchObject({ state: 'pending', total: 2 });
    await pass(9000);
    expect(sent).toEqual([]);
    await pass(1500);
    expect([sent, jobs.jobOf('b')]).toEqual([['a', 'b'], undefined]);
  });

  test('undo removes one row, and undo of the last row undoes the job', async () => {
    const { jobs, pending, start, sent, ended } = setUp(undoable);
    start(rowsFor('a', 'b'));
    jobs.undo('a');
    expect([jobs.jobOf('a'), jobs.jobOf('b')?.source, jobs.jobOf('b')?.total]).toEqual([undefined, rowsFor('b'), 1]);
    jobs.undo('b');
    await pass(20_000);
    expect([pending.items(), sent, ended, jobs.jobs()]).toEqual([[], [], [], []]);
  });

  test('the undo toast undoes the whole job', () => {
    const { jobs, pending, start } = setUp(undoable);
    start(rowsFor('a', 'b'));
    pending.undo('job:1');
    expect([jobs.jobOf('a'), jobs.jobOf('b')]).toEqual([undefined, undefined]);
  });

  test('a row is in one job at a time', () => {
    const { jobs, pending, start } = setUp(undoable);
    start(rowsFor('a'));
    start(rowsFor('a', 'c'));
    start(rowsFor('a'));
    expect(pending.items()).toHaveLength(2);
    expect([jobs.jobOf('a')?.key, jobs.jobOf('c')?.source]).toEqual(['job:1', rowsFor('c')]);
  });

  test('a row that is being sent cannot be undone', async () => {
    const { jobs, pending, start } = setUp(undoable, () => 100);
    start(rowsFor('a'));
    void pending.flush({ keepalive: true });
    jobs.undo('a');
    expect(jobs.jobOf('a')?.state).toBe('running');
    await pass(200);
  });

  test('when the page is left, all rows are sent at once in requests that outlive it', async () => {
    const { pending, start, keepalives } = setUp(undoable, () => 100);
    start(manyRows(20));
    void pending.flush({ keepalive: true });
    await pass(100);
    expect(keepalives).toEqual(Array.from({ length: 20 }, () => true));
  });

  test('a job is stored from when it is sent until it has ended; a single row is not', async () => {
    const { start, stored } = setUp(undoable);
    start(rowsFor('a'));
    await pass(10_500);
    expect(stored).toEqual([]);
    start(rowsFor('a', 'b'));
    await pass(9000);
    expect(stored, 'nothing is stored before it is sent').toEqual([]);
    await pass(2000);
    expect(stored).toEqual(['begin 2', 'add 2', 'end']);
  });

  test('rows leave their job one by one, or together at its end', async () => {
    const slow = (id: string) => (id === 'b' ? 5000 : 0);
    const [each, together] = [setUp(undoable, slow), setUp({ ...undoable, keepsRows: true }, slow)];
    for (const { start } of [each, together]) start(rowsFor('a', 'b'));
    await pass(11_000);
    expect([each.jobs.jobOf('a'), each.jobs.countOpen(() => true)]).toEqual([undefined, 1]);
    expect([together.jobs.jobOf('a')?.state, together.jobs.countOpen(() => true)]).toEqual(['running', 2]);
    await pass(5000);
    expect([each.jobs.jobOf('b'), together.jobs.jobOf('a')]).toEqual([undefined, undefined]);
  });
});

describe('one job after the other', () => {
  const sequential = { isSequential: true };

  test('the result of a job stays until it is dismissed', async () => {
    const { jobs, start } = setUp(sequential, (id) => {
      if (id === 'b') throw problem(400);
      return 0;
    });
    start(rowsFor('a', 'b'));
    await pass(100);
    expect(linesOf(jobs.current()!).map(({ result }) => result?.ok)).toEqual([true, false]);
    jobs.dismiss();
    expect(jobs.current()).toBeUndefined();
  });

  test('a second job starts when the first one has ended', async () => {
    const { jobs, pending, start, sent } = setUp(sequential, () => 100);
    start(rowsFor('a'));
    start(rowsFor('b'));
    expect([jobs.current()?.key, jobs.job('job:2')?.state, pending.items().length]).toEqual(['job:1', 'queued', 1]);
    await pass(150);
    expect(jobs.current()?.key).toBe('job:2');
    await pass(150);
    expect(sent).toEqual(['a', 'b']);
  });

  test('a second job starts when the first one, whose rows could not be stored, is stopped', async () => {
    const { jobs, start, take, sent } = setUp(sequential);
    take({ source: undefined });
    start(rowsFor('a'));
    await pass(100);
    expect(sent).toEqual([]);
    jobs.stop('job:9');
    await pass(100);
    expect(sent).toEqual(['a']);
  });

  test('rows of a stopped job were not sent', async () => {
    const { jobs, take, sent } = setUp(sequential);
    take({ about: { ...about, paused: true }, results: new Map([[0, 'sent' as const]]) });
    await pass(5000);
    expect([jobs.current()?.state, sent]).toEqual(['paused', []]);
    jobs.stop('job:9');
    await pass(100);
    const stopped = { ok: false, stopped: true };
    expect(linesOf(jobs.current()!).map(({ result }) => result)).toEqual([{ ok: true }, stopped, stopped]);
  });
});

describe('after a closed tab', () => {
  test('a job continues with the same keys, without the rows that have ended', async () => {
    const { jobs, take, keys, ended } = setUp();
    const results = new Map([[1, { problem: problem(400).problem }]]);
    take({ results });
    take({ results });
    expect(jobs.jobOf('b')).toBeUndefined();
    await pass(100);
    expect([keys, ended]).toEqual([['job:9-0', 'job:9-2'], ['3 1']]);
  });

  test('a paused job waits until it is resumed or stopped', async () => {
    const { jobs, take, sent } = setUp();
    take({ about: { ...about, paused: true } });
    await pass(10_000);
    expect([jobs.job('job:9')?.state, sent]).toEqual(['paused', []]);
    jobs.resume('job:9');
    await pass(100);
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  test('a job whose rows could not be stored waits for them, or is stopped', async () => {
    const { jobs, take, sent, ended } = setUp(sequentialKind);
    take({ source: undefined });
    jobs.resume('job:9');
    await pass(100);
    expect([jobs.current()?.state, sent]).toEqual(['paused', []]);
    jobs.resume('job:9', rowsFor('a'));
    await pass(100);
    expect(sent).toEqual(['a']);
    jobs.dismiss();
    take({ source: undefined });
    jobs.stop('job:9');
    expect(ended).toHaveLength(2);
  });
  const sequentialKind = { isSequential: true };

  test('a job that is more than a day old is paused, because the service has forgotten its idempotency keys', async () => {
    const { jobs, take, sent } = setUp({ pausesIfStale: true });
    take({ at: 1 });
    await pass(100);
    expect([jobs.job('job:9'), sent]).toMatchObject([{ state: 'paused', isStale: true }, []]);
    jobs.resume('job:9');
    await pass(100);
    expect(sent).toHaveLength(3);
  });

  test('a job of another tab is shown until that tab has ended it', () => {
    const { jobs, watcher } = setUp({ showsElsewhere: true });
    watcher().elsewhere({ key: 'job:9', about: { ...about, paused: false } });
    expect(jobs.job('job:9')).toMatchObject({ state: 'elsewhere', about });
    watcher().ended('job:9');
    expect(jobs.job('job:9')).toBeUndefined();
  });
});

test('a job runs without storage and reports that it is not stored', async () => {
  const { jobs, sent } = setUp();
  const fail = async () => Promise.reject(new Error('full'));
  const store = {
    prepare: () => undefined,
    begin: fail,
    change: fail,
    add: fail,
    end: () => undefined,
    watch: () => () => undefined,
  };
  const other = createBulkJob<About, Row>({
    client: new QueryClient(),
    store,
    name: 'job',
    isSequential: true,
    send: async ({ id }) => void sent.push(id),
    onEnd: () => undefined,
  });
  void other.start({ about, source: rowsFor('a') });
  await pass(100);
  expect([sent, other.current()?.isStored, jobs.jobs()]).toEqual([['a'], false, []]);
});
