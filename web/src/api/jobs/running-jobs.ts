import type { LongJob } from './long-job.ts';

interface AnyJob {
  key: string;
  state: 'waiting' | 'sending' | 'paused';
}

export interface Running<Job, Item> {
  /** As it is shown: another object after each change. */
  job: Job;
  /** Those that have not come to an end. */
  items: Map<string, Item>;
  sending: LongJob | null;
}

/**
 * What is done to many things at once, while it waits and is on its way: each press is one job (long-job.ts), and a
 * thing is in one job at a time. `onChange` is told before those who have subscribed.
 */
export function createRunningJobs<Job extends AnyJob, Item extends { id: string }>({
  onChange = () => undefined,
}: { onChange?: () => void } = {}) {
  const running = new Map<string, Running<Job, Item>>();
  const byItem = new Map<string, Running<Job, Item>>();
  const listeners = new Set<() => void>();

  function changed() {
    onChange();
    for (const listener of listeners) listener();
  }

  function setState(run: Running<Job, Item>, paused: boolean) {
    run.job = { ...run.job, state: paused ? 'paused' : 'sending' };
    changed();
  }

  function end(run: Running<Job, Item>) {
    for (const id of run.items.keys()) byItem.delete(id);
    running.delete(run.job.key);
    changed();
  }

  return {
    begin(job: Job, items: readonly Item[]): Running<Job, Item> {
      const run = { job, items: new Map(items.map((item) => [item.id, item])), sending: null };
      running.set(job.key, run);
      for (const { id } of items) byItem.set(id, run);
      changed();
      return run;
    },
    update(run: Running<Job, Item>, change: Partial<Job>) {
      run.job = { ...run.job, ...change };
      changed();
    },
    /** It is in no job any more. Told with the next change. */
    settle(run: Running<Job, Item>, { id }: Pick<Item, 'id'>) {
      run.items.delete(id);
      byItem.delete(id);
    },
    /** Until all of it has come to an end. */
    async follow(run: Running<Job, Item>, { sending, paused }: { sending: LongJob; paused: boolean }) {
      run.sending = sending;
      setState(run, paused);
      await sending.done;
      end(run);
    },
    /** `keep`: so that another page would find it like this. */
    setPaused({ key, paused, keep }: { key: string; paused: boolean; keep: (job: Job) => void }) {
      const run = running.get(key);
      if (!run?.sending || (run.job.state === 'paused') === paused) return;
      if (paused) run.sending.pause();
      else run.sending.resume();
      keep(run.job);
      setState(run, paused);
    },
    /** What is not sent yet will not be. */
    stop: (key: string) => running.get(key)?.sending?.stop(),
    end,
    changed,
    get: (key: string) => running.get(key),
    of: (id: string) => byItem.get(id),
    all: () => [...running.values()],
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
