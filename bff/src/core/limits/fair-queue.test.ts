import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { Problem } from '../problem.ts';
import { createBudget } from './budget.ts';
import { createFairQueue, createMainThreadQueue, runInSlices } from './fair-queue.ts';

afterEach(() => void vi.useRealTimers());

/** A queue whose jobs take a given time, and the order in which they ran. */
function setUp({ mostWaiting = 1000 } = {}) {
  let now = 0;
  const ran: string[] = [];
  const queue = createFairQueue({ mostWaiting, clock: () => now });
  const run = (user: string, what: string, { ms = 1, signal }: { ms?: number; signal?: AbortSignal } = {}) =>
    queue.run({ user, ...(signal && { signal }) }, () => {
      now += ms;
      ran.push(what);
      return what;
    });
  return { queue, ran, run, spend: (ms: number) => (now += ms) };
}

test("one user's sixty pages do not delay another user's read by more than one page", async () => {
  const { ran, run } = setUp();
  const pages = Array.from({ length: 60 }, (_, number) => run('ann', `page ${number}`, { ms: 30 }));
  expect(await run('bob', 'read')).toBe('read');
  expect(ran).toEqual(['page 0', 'read']);
  expect(await Promise.all(pages)).toHaveLength(60);
});

test("users who use a lot of time wait for those who use little, and each user's work keeps its order", async () => {
  const { ran, run } = setUp();
  const heavy = [1, 2, 3].map((number) => run('ann', `heavy ${number}`, { ms: 30 }));
  const light = [1, 2, 3, 4, 5].map((number) => run('bob', `light ${number}`, { ms: 10 }));
  await Promise.all([...heavy, ...light]);
  expect(ran.slice(0, 5)).toEqual(['heavy 1', 'light 1', 'light 2', 'light 3', 'heavy 2']);
  expect(ran.slice(5)).toEqual(['light 4', 'light 5', 'heavy 3']);
});

test('a user who was alone for a long time does not wait until a new user has used as much', async () => {
  const { ran, run } = setUp();
  for (let piece = 0; piece < 10; piece++) await run('ann', 'alone', { ms: 50 });
  await Promise.all(
    ['ann', 'bob'].flatMap((user) => [1, 2].map((number) => run(user, `${user} ${number}`, { ms: 50 }))),
  );
  expect(ran.slice(10)).toEqual(['bob 1', 'ann 1', 'bob 2', 'ann 2']);
});

test('long work in slices lets other users in between', async () => {
  const { queue, ran, run, spend } = setUp();
  function* long() {
    for (let step = 0; step < 10; step++) {
      ran.push('slice');
      spend(10);
      // A slice ends by the real clock.
      for (const until = performance.now() + 10; performance.now() < until;);
      yield;
    }
    return 'done';
  }
  const done = runInSlices(queue, { user: 'ann' }, long());
  for (let read = 0; read < 3; read++) await run('bob', 'read');
  expect(ran.filter((what) => what === 'slice').length).toBeLessThan(10);
  expect(await done).toBe('done');
});

test("long work is finished before the user's next work begins", async () => {
  const { queue, ran, run, spend } = setUp();
  function* long(name: string) {
    for (let step = 0; step < 3; step++) {
      ran.push(name);
      spend(10);
      for (const until = performance.now() + 10; performance.now() < until;);
      yield;
    }
  }
  const all = [runInSlices(queue, { user: 'ann' }, long('first')), runInSlices(queue, { user: 'ann' }, long('second'))];
  await Promise.all([...all, run('ann', 'third')]);
  expect(ran).toEqual(['first', 'first', 'first', 'second', 'second', 'second', 'third']);
});

test('many new users with little work do not starve another user', async () => {
  const { queue, ran, run } = setUp();
  const waiting = [run('ann', 'heavy', { ms: 30 }), run('ann', 'waiting')];
  const newcomers: Promise<unknown>[] = [];
  const come = (number: number) => {
    newcomers.push(
      queue.run({ user: `newcomer ${number}` }, () => {
        ran.push('newcomer');
        if (number < 20) come(number + 1);
      }),
    );
  };
  come(0);
  await Promise.all(waiting);
  expect(ran.indexOf('waiting')).toBeLessThan(5);
});

test('work whose client has disconnected is dropped', async () => {
  const { ran, run } = setUp();
  const client = new AbortController();
  const first = run('ann', 'first');
  const dropped = [1, 2, 3].map((number) => run('ann', `dropped ${number}`, { signal: client.signal }));
  const last = run('ann', 'last');
  client.abort();
  const settled = await Promise.allSettled(dropped);
  expect(settled.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual(
    dropped.map(() => 'request.aborted'),
  );
  await Promise.all([first, last]);
  expect(ran).toEqual(['first', 'last']);
});

/** Two places. Each user may be charged 100 in a second. */
function setUpBudget() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const ran: string[] = [];
  const budget = createBudget({ perSecond: 100, burst: 100 });
  const queue = createFairQueue({ mostWaiting: 3, atOnce: 2, budget });
  const run = (user: string, what: string, { cost = 1, signal }: { cost?: number; signal?: AbortSignal } = {}) =>
    queue.run({ user, ...(signal && { signal }) }, () => {
      queue.charge(user, cost);
      ran.push(what);
    });
  return { queue, ran, run };
}

test('a user who was charged for a second waits until it is over, and nobody else does', async () => {
  const { queue, ran, run } = setUpBudget();
  await run('ann', 'long', { cost: 200 });
  const [first, second] = [run('ann', 'first', { cost: 50 }), run('ann', 'second')];
  await run('bob', 'read');
  await run('', 'of the server', { cost: 200 });
  await run('', 'of the server');
  expect(ran).toEqual(['long', 'read', 'of the server', 'of the server']);
  expect(queue.measure().waiting).toBe(2);
  await vi.advanceTimersByTimeAsync(1020);
  await first;
  expect(ran.slice(4)).toEqual(['first']);
  await run('bob', 'read');
  await vi.advanceTimersByTimeAsync(400);
  expect(ran.slice(4)).toEqual(['first', 'read']);
  await vi.advanceTimersByTimeAsync(200);
  await second;
  expect(ran.slice(4)).toEqual(['first', 'read', 'second']);
});

test('who waits for the budget can leave, and is one of those who may wait', async () => {
  const { queue, ran, run } = setUpBudget();
  await run('ann', 'long', { cost: 200 });
  const client = new AbortController();
  const left = run('ann', 'left', { signal: client.signal });
  const others = [run('ann', 'first'), run('ann', 'second')];
  await expect(run('ann', 'too much')).rejects.toMatchObject({ code: 'rate.exceeded' });
  client.abort();
  await expect(left).rejects.toMatchObject({ code: 'request.aborted' });
  await vi.advanceTimersByTimeAsync(1200);
  await Promise.all(others);
  expect(ran).toEqual(['long', 'first', 'second']);
  expect(queue.measure().waiting).toBe(0);
});

test('who waits for the budget goes on when some is left, also beside a job that does not end and a longer wait', async () => {
  const { queue, ran, run } = setUpBudget();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const endless = queue.run({ user: 'cem' }, () => promise);
  await run('ann', 'long', { cost: 300 });
  await run('bob', 'short', { cost: 105 });
  const [ofAnn, ofBob] = [run('ann', 'of ann'), run('bob', 'of bob')];
  await vi.advanceTimersByTimeAsync(100);
  await ofBob;
  expect(ran).toEqual(['long', 'short', 'of bob']);
  await vi.advanceTimersByTimeAsync(2000);
  await ofAnn;
  end();
  await endless;
});

test('who has some of the budget left just when nobody works any more does not wait for the next request', async () => {
  const left = [5, 0];
  const budget = { correct: () => {}, msUntilLeft: () => left.shift() ?? 0 };
  const queue = createFairQueue({ mostWaiting: 3, budget });
  await expect(queue.run({ user: 'ann' }, () => 'ran')).resolves.toBe('ran');
});

test('users whose work on the main thread waits for their reads do not keep others waiting', async () => {
  const mostOfUser = 4;
  const queue = createMainThreadQueue({ atOnce: 64, mostOfUser });
  const { promise: read, resolve: endReads } = Promise.withResolvers<void>();
  const { promise: allBegan, resolve: onAllBegan } = Promise.withResolvers<void>();
  const users = ['ann', 'bob', 'cem'];
  const began: string[] = [];
  const lists = users.flatMap((user) =>
    Array.from({ length: 10 }, () =>
      queue.run({ user }, () => {
        if (began.push(user) === users.length * mostOfUser) onAllBegan();
        return read;
      }),
    ),
  );
  await queue.run({ user: 'dan' }, () => {});
  // Those that a slow machine begins in later ticks of the event loop may begin after his.
  await allBegan;
  await settled();
  expect(users.map((user) => began.filter((one) => one === user).length)).toEqual([4, 4, 4]);
  endReads();
  await Promise.all(lists);
});

test('the queue of one user is bounded, without affecting other users', async () => {
  const { run } = setUp({ mostWaiting: 3 });
  const waiting = [0, 1, 2, 3].map(() => run('ann', 'work'));
  await expect(run('ann', 'too much')).rejects.toMatchObject({ code: 'rate.exceeded' });
  expect(await run('bob', 'work')).toBe('work');
  await Promise.all(waiting);
  expect(await run('ann', 'work')).toBe('work');
});

test('work that has begun is continued, however many jobs of its user are queued', async () => {
  const { queue, run } = setUp({ mostWaiting: 1 });
  const waiting: Promise<unknown>[] = [];
  function* long() {
    for (let step = 0; step < 3; step++) {
      if (step === 1) waiting.push(run('ann', 'next'));
      for (const until = performance.now() + 10; performance.now() < until;);
      yield;
    }
    return 'done';
  }
  expect(await runInSlices(queue, { user: 'ann' }, long())).toBe('done');
  expect(await Promise.all(waiting)).toEqual(['next']);
});

test('a failed job does not affect the next one', async () => {
  const { queue, run } = setUp();
  const failing = queue.run({ user: 'ann' }, () => {
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  await setImmediate();
  expect(await run('ann', 'next')).toBe('next');
});

/** A job that the test ends. */
function job() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}
const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
};

/** Runs the jobs of one user. */
function turns(limits: { atOnce: number; mostWaiting: number }) {
  const queue = createFairQueue({ ...limits, refusal: () => new Problem('service.away') });
  return <T>(act: () => Promise<T>, signal?: AbortSignal) => queue.run({ user: 'ann', ...(signal && { signal }) }, act);
}

test('several jobs at a time: the queue runs a limited number, in order, and continues after a failure', async () => {
  // The last place is for another user.
  const inTurn = turns({ atOnce: 3, mostWaiting: 10 });
  const started: number[] = [];
  const jobs = Array.from({ length: 5 }, job);
  const all = jobs.map(({ run }, at) =>
    inTurn(async () => {
      started.push(at);
      await run();
      if (at === 1) throw new Error('failed');
    }).catch(() => {}),
  );
  await settled();
  expect(started).toEqual([0, 1]);
  jobs[1]!.end();
  await settled();
  expect(started).toEqual([0, 1, 2]);
  for (const { end } of jobs) end();
  await Promise.all(all);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test('several jobs at a time: the queue refuses jobs beyond its limit', async () => {
  const inTurn = turns({ atOnce: 1, mostWaiting: 1 });
  const jobs = Array.from({ length: 2 }, job);
  const all = jobs.map(({ run }) => inTurn(run));
  await expect(inTurn(async () => {})).rejects.toMatchObject({ code: 'service.away' });
  for (const { end } of jobs) end();
  await Promise.all(all);
  await expect(inTurn(async () => 'free again')).resolves.toBe('free again');
});

test('several jobs at a time: the queue drops a queued job whose signal is aborted', async () => {
  const inTurn = turns({ atOnce: 1, mostWaiting: 1 });
  const first = job();
  const running = inTurn(first.run);
  const leaving = new AbortController();
  const queued = inTurn(async () => 'ran', leaving.signal);
  leaving.abort();
  await expect(queued).rejects.toMatchObject({ code: 'request.aborted' });
  const next = inTurn(async () => 'next');
  first.end();
  await running;
  await expect(next).resolves.toBe('next');
});

test('the number of waiting jobs and their waits are measured', async () => {
  const { queue, run } = setUp();
  const jobs = [30, 20, 10].map((ms) => run('ann', 'job', { ms }));
  // The first one runs.
  expect(queue.measure().waiting).toBe(2);
  await Promise.all(jobs);
  const { waiting, waits } = queue.measure();
  expect(waiting).toBe(0);
  // The first one ran before the others were added.
  expect(waits.sum).toBeCloseTo(0.02);
  expect(waits.counts.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test('several jobs at a time: long jobs of one user leave a place for others, who go first meanwhile', async () => {
  let now = 0;
  const queue = createFairQueue({ atOnce: 4, mostWaiting: 1000, clock: () => now });
  const started: string[] = [];
  const run = (user: string) => {
    const { run: wait, end } = job();
    const done = queue.run({ user }, () => {
      started.push(user);
      return wait();
    });
    return { done, end };
  };
  const ofAnn = Array.from({ length: 8 }, () => run('ann'));
  await settled();
  expect(started).toEqual(['ann', 'ann', 'ann']);
  const [first, second] = [run('ben'), run('ben')];
  await settled();
  expect(started).toEqual(['ann', 'ann', 'ann', 'ben']);
  const ofCat = run('cat');
  now += 1000;
  // Ben has used one running second, and Ann three, which are charged although none has ended.
  ofAnn[0]!.end();
  await settled();
  expect(started.at(-1)).toBe('cat');
  ofCat.end();
  first.end();
  await settled();
  // Ann waits for one of hers, because the last place is for a user who has none running.
  expect(started.slice(5)).toEqual(['ben']);
  for (const { end } of [...ofAnn, second]) end();
  await Promise.all([...ofAnn, first, second, ofCat].map(({ done }) => done));
  expect(started).toHaveLength(11);
});

test('the few jobs of a user have one turn together, although clients that have left had asked for more', async () => {
  let now = 0;
  const queue = createFairQueue({ mostTogether: 2, mostWaiting: 1000, clock: () => now });
  const started: string[] = [];
  const { run: wait, end } = job();
  const client = new AbortController();
  const first = queue.run({ user: 'ann' }, () => void (now += 10));
  const left = queue.run({ user: 'ann', signal: client.signal }, () => {});
  const other = queue.run({ user: 'ben' }, () => {
    client.abort();
    return wait();
  });
  await expect(left).rejects.toMatchObject({ code: 'request.aborted' });
  const few = ['one', 'two'].map((name) =>
    queue.run({ user: 'ann' }, async () => {
      started.push(name);
      await settled();
      started.push('end');
    }),
  );
  end();
  await Promise.all([first, other, ...few]);
  expect(started).toEqual(['one', 'two', 'end', 'end']);
});

test('what a page asks for while its first job runs has one turn together', async () => {
  const queue = createFairQueue({ atOnce: 2, mostTogether: 3, mostWaiting: 1000 });
  const started: string[] = [];
  const run = (user: string, what: string) => {
    const { run: wait, end } = job();
    const done = queue.run({ user }, () => {
      started.push(what);
      return wait();
    });
    return { done, end };
  };
  const ofBen = Array.from({ length: 9 }, () => run('ben', 'of ben'));
  const first = run('ann', 'account');
  await settled();
  expect(started).toEqual(['of ben', 'account']);
  const others = [run('ann', 'inbox'), run('ann', 'swarms')];
  first.end();
  await settled();
  expect(started.slice(2)).toEqual(['inbox', 'swarms']);
  for (const { end } of [...ofBen, ...others]) end();
  await Promise.all([...ofBen, first, ...others].map(({ done }) => done));
});

test('the few jobs of a user have one turn together and are charged for it, of many jobs each has a turn', async () => {
  let now = 0;
  const queue = createFairQueue({ atOnce: 2, mostTogether: 3, mostWaiting: 1000, clock: () => now });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const all = ['ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'ben', 'cat', 'cat', 'cat'].map((user, number) => {
    const { run: wait, end } = job();
    ends.set(`${user} ${number}`, end);
    return queue.run({ user }, () => {
      started.push(`${user} ${number}`);
      return wait();
    });
  });
  /** Ends a job, and returns what has started since then. */
  const endOf = async (what: string) => {
    const before = started.length;
    now += 10;
    ends.get(what)!();
    await settled();
    return started.slice(before);
  };
  await settled();
  // Six more of Ann wait.
  expect(started).toEqual(['ann 0', 'ben 7']);
  expect(await endOf('ben 7')).toEqual(['cat 8', 'cat 9', 'cat 10']);
  expect(await endOf('ann 0')).toEqual(['ann 1']);
  expect(await endOf('cat 9')).toEqual([]);
  const more = queue.run({ user: 'dan' }, () => started.push('dan'));
  await endOf('cat 8');
  expect(started.at(-1)).toBe('ann 1');
  await endOf('cat 10');
  await more;
  expect(started.at(-1)).toBe('dan');
  expect(await endOf('ann 1')).toEqual(['ann 2']);
  // Three are left, but jobs of Ann wait all the time.
  expect(await endOf('ann 2')).toEqual(['ann 3']);
  expect(await endOf('ann 3')).toEqual(['ann 4']);
  expect(await endOf('ann 4')).toEqual(['ann 5']);
  expect(await endOf('ann 5')).toEqual(['ann 6']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});
