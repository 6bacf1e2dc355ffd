/**
 * Bulk jobs in IndexedDB, so that they outlive their page. The rows are stored once, and results are added as they
 * arrive: a job that continues sends only rows without a result. A tab holds a lock for each of its jobs. When the tab
 * is closed, another open tab takes the job over, or the next one that is opened. Without locks or storage, closing the
 * tab ends the job.
 */
import { deleteValues, getValues, putValue } from './stored-values.ts';

export interface StoredJob<About, Source, Result> {
  key: string;
  about: About;
  /** The rows, or the file that contains them. Undefined if the browser could not store it. */
  source: Source | undefined;
  /** The results of the finished rows, by their index. */
  results: Map<number, Result>;
  /** When the last result was stored, in ms; 0 if there is none. */
  at: number;
}

type Results<Result> = readonly (readonly [index: number, result: Result])[];

interface Portion<Result> {
  at: number;
  results: Results<Result>;
}

export type StoredJobs<About, Source, Result> = ReturnType<typeof storeJobs<About, Source, Result>>;

interface Watcher<About, Source, Result> {
  take(job: StoredJob<About, Source, Result>): void;
  /** Another tab holds it. */
  elsewhere(job: { key: string; about: About }): void;
  /** The other tab has ended it. */
  ended(key: string): void;
}

/** The storage: IndexedDB, or a map in tests. */
export interface ValueStore {
  putValue(key: string, value: unknown): Promise<void>;
  getValues<Value>(prefix: string): Promise<Value[]>;
  deleteValues(prefix: string): Promise<void>;
}

interface Record<About> {
  key: string;
  about: About;
}

export const jobsPrefix = (name: string) => `${name}/job/`;

export function storeJobs<About, Source, Result>({
  name,
  store = { putValue, getValues, deleteValues },
  locks = 'locks' in navigator ? navigator.locks : undefined,
  channel = new BroadcastChannel(name),
}: {
  /** Kind and user: `answers:ann`. */
  name: string;
  store?: ValueStore;
  locks?: Pick<LockManager, 'request'> | undefined;
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;
}) {
  const prefixes = { jobs: jobsPrefix(name), rows: `${name}/rows/`, results: `${name}/ends/` };
  const releases = new Map<string, () => void>();
  const portions = new Map<string, number>();
  /** A job also runs if nothing can be stored. */
  const ignore = () => undefined;

  const hold = (key: string) => new Promise<void>((release) => releases.set(key, release));

  async function read({ key, about }: Record<About>): Promise<StoredJob<About, Source, Result>> {
    const [source] = await store.getValues<Source>(prefixes.rows + key);
    const stored = await store.getValues<Portion<Result>>(`${prefixes.results}${key}/`);
    portions.set(key, stored.length);
    const results = new Map(stored.flatMap((portion) => portion.results));
    return { key, about, source, results, at: stored.at(-1)?.at ?? 0 };
  }

  return {
    /** Opens the database, so that `begin` can store a job while the document is being left. */
    prepare() {
      store.getValues(prefixes.jobs).catch(ignore);
    },
    /** Stores a new job, which this page holds from now on. Rejects if the browser cannot store it completely. */
    async begin({ key, about, source }: { key: string; about: About; source: Source }) {
      // The lock is requested before another tab can know the job.
      locks?.request(`${name} ${key}`, () => hold(key)).catch(ignore);
      const record: Record<About> = { key, about };
      // Both writes are in this task, because the document may be closing.
      const rows = store.putValue(prefixes.rows + key, source);
      const job = store.putValue(prefixes.jobs + key, record);
      await Promise.all([rows, job.then(() => channel.postMessage(record))]);
    },
    change: (key: string, about: About) => store.putValue(prefixes.jobs + key, { key, about }),
    add(key: string, results: Results<Result>, at: number) {
      const portion = portions.get(key) ?? 0;
      portions.set(key, portion + 1);
      return store.putValue(`${prefixes.results}${key}/${String(portion).padStart(6, '0')}`, { at, results });
    },
    /** Deletes it. */
    end(key: string) {
      portions.delete(key);
      const deleted = [prefixes.jobs + key, prefixes.rows + key, `${prefixes.results}${key}/`].map(store.deleteValues);
      // A tab that waits for the lock then finds no job.
      void Promise.allSettled(deleted).then(() => {
        releases.get(key)?.();
        releases.delete(key);
      });
    },
    /** Takes every job that no other page holds, now and whenever one becomes free. Returns a function that stops it. */
    watch({ take, elsewhere, ended }: Watcher<About, Source, Result>) {
      const stop = new AbortController();
      const { signal } = stop;
      const requested = new Set<string>();

      async function takeOver(key: string) {
        requested.delete(key);
        const [record] = await store.getValues<Record<About>>(prefixes.jobs + key);
        if (!record) return ended(key);
        const job = await read(record);
        const released = hold(key);
        take(job);
        return released;
      }
      async function request({ key, about }: Record<About>) {
        if (!locks || requested.has(key) || releases.has(key)) return;
        requested.add(key);
        const lock = `${name} ${key}`;
        let isFree = false;
        await locks.request(lock, { ifAvailable: true }, (granted) => {
          isFree = granted !== null && !signal.aborted;
          return isFree ? takeOver(key) : undefined;
        });
        if (isFree || signal.aborted) return;
        elsewhere({ key, about });
        await locks.request(lock, { signal }, () => takeOver(key));
      }
      const onMessage = ({ data }: MessageEvent<Record<About>>) => void request(data).catch(ignore);
      channel.addEventListener('message', onMessage, { signal });
      store
        .getValues<Record<About>>(prefixes.jobs)
        .then((records) => Promise.all(records.map(request)))
        .catch(ignore);
      return () => stop.abort();
    },
  };
}
