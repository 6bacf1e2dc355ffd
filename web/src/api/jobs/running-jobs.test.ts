import { expect, it } from 'vitest';
import { createRunningJobs } from './running-jobs.ts';

interface Job {
  key: string;
  state: 'waiting' | 'sending' | 'paused';
}

const waiting = (key: string): Job => ({ key, state: 'waiting' });
const [one, two] = [{ id: '1' }, { id: '2' }];

/** A job on its way, which notes what is asked of it. */
function sending(asked: string[] = []) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const note = (what: string) => () => void asked.push(what);
  return { pause: note('pause'), resume: note('resume'), stop: note('stop'), done: promise, finish: resolve };
}

it('knows the job of a thing until that thing, or the job, has come to an end', async () => {
  const jobs = createRunningJobs<Job, typeof one>();
  const run = jobs.begin(waiting('a'), [one, two]);
  expect([jobs.of('1'), jobs.of('2'), jobs.of('3')]).toEqual([run, run, undefined]);
  jobs.settle(run, one);
  expect([jobs.of('1'), jobs.of('2')]).toEqual([undefined, run]);

  const job = sending();
  const done = jobs.follow(run, { sending: job, paused: false });
  expect(jobs.get('a')?.job.state).toBe('sending');
  job.finish();
  await done;
  expect([jobs.of('2'), jobs.get('a'), jobs.all()]).toEqual([undefined, undefined, []]);
});

it('pauses and resumes what is on its way, and has that kept each time', () => {
  const jobs = createRunningJobs<Job, typeof one>();
  const run = jobs.begin(waiting('a'), [one]);
  const asked: string[] = [];
  const keep = () => void asked.push('keep');
  jobs.setPaused({ key: 'a', paused: true, keep });
  expect(asked, 'it still waits').toEqual([]);

  void jobs.follow(run, { sending: sending(asked), paused: false });
  for (const paused of [true, true, false, false]) jobs.setPaused({ key: 'a', paused, keep });
  expect(asked).toEqual(['pause', 'keep', 'resume', 'keep']);
  expect(run.job.state).toBe('sending');
});

it('shows another object after each change, when those who have subscribed are told', () => {
  const told: string[] = [];
  const jobs = createRunningJobs<Job, typeof one>({ onChange: () => told.push('first') });
  const before = jobs.begin(waiting('a'), [one]).job;
  const unsubscribe = jobs.subscribe(() => told.push('then'));
  jobs.update(jobs.get('a')!, { state: 'sending' });
  expect(jobs.get('a')?.job).toEqual({ ...before, state: 'sending' });
  expect(before.state).toBe('waiting');
  unsubscribe();
  jobs.end(jobs.get('a')!);
  expect(told).toEqual(['first', 'first', 'then', 'first']);
});
