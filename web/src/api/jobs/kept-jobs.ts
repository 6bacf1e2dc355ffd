/**
 * Jobs of many requests that outlive their page (keep.ts). What is to be sent is kept once, what has come to an end is
 * added as it does; so whoever goes on sends nothing again but what was on its way. A tab that has a job holds a lock
 * of its name; when that tab is closed another one, or the next one to be opened, goes on. A browser without locks, or
 * one that keeps nothing, goes without: a closed tab ends the job there.
 */
import { forget, forgetUnder, keep, keptUnder } from './keep.ts';

export interface KeptJob<About, Row, End> {
  key: string;
  about: About;
  rows: Row[];
  /** Of the rows that have come to an end, by their place. */
  ends: Map<number, End>;
}

export type Ends<End> = readonly (readonly [place: number, end: End])[];

export interface KeptJobs<About, Row, End> {
  /** One may soon begin, perhaps while its page is being left: what takes time is done now. */
  prepare(): void;
  /** Keeps a new one, which this page has from now on. */
  begin(job: Omit<KeptJob<About, Row, End>, 'ends'>): void;
  change(key: string, about: About): void;
  add(key: string, ends: Ends<End>): void;
  /** It has ended. */
  end(key: string): void;
  /** Gives this page every job that no other one has, now and whenever one is left behind. The answer stops it. */
  watch(take: (job: KeptJob<About, Row, End>) => void): () => void;
}

/** Where jobs are kept: the browser's own database, in tests a map. */
export interface JobStore {
  keep(key: string, value: unknown): Promise<void>;
  keptUnder<Value>(prefix: string): Promise<Value[]>;
  forget(key: string): Promise<void>;
  forgetUnder(prefix: string): Promise<void>;
}

interface Kept<About> {
  key: string;
  about: About;
}

export function keepJobs<About, Row, End>({
  name,
  store = { keep, keptUnder, forget, forgetUnder },
  locks = 'locks' in navigator ? navigator.locks : undefined,
  channel = new BroadcastChannel(name),
}: {
  /** Of a kind and a user: `answers:ann`. */
  name: string;
  store?: JobStore;
  locks?: Pick<LockManager, 'request'> | undefined;
  channel?: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>;
}): KeptJobs<About, Row, End> {
  const under = { jobs: `${name}/job/`, rows: `${name}/rows/`, ends: `${name}/ends/` };
  const releases = new Map<string, () => void>();
  const portions = new Map<string, number>();
  /** A job goes on where nothing can be kept. */
  const orGoOn = () => undefined;

  const hold = (key: string) => new Promise<void>((release) => releases.set(key, release));

  async function read({ key, about }: Kept<About>): Promise<KeptJob<About, Row, End>> {
    const [rows] = await store.keptUnder<Row[]>(under.rows + key);
    const ends = await store.keptUnder<Ends<End>>(`${under.ends}${key}/`);
    portions.set(key, ends.length);
    return { key, about, rows: rows ?? [], ends: new Map(ends.flat()) };
  }

  return {
    prepare() {
      store.keptUnder(under.jobs).catch(orGoOn);
    },
    begin({ key, about, rows }) {
      // asked for before anybody can know of the job
      locks?.request(`${name} ${key}`, () => hold(key)).catch(orGoOn);
      void store.keep(under.rows + key, rows).catch(orGoOn);
      const kept: Kept<About> = { key, about };
      store.keep(under.jobs + key, kept).then(() => channel.postMessage(kept), orGoOn);
    },
    change(key, about) {
      void store.keep(under.jobs + key, { key, about }).catch(orGoOn);
    },
    add(key, ends) {
      const portion = portions.get(key) ?? 0;
      portions.set(key, portion + 1);
      void store.keep(`${under.ends}${key}/${String(portion).padStart(6, '0')}`, ends).catch(orGoOn);
    },
    end(key) {
      portions.delete(key);
      const forgotten = [
        store.forget(under.jobs + key),
        store.forget(under.rows + key),
        store.forgetUnder(`${under.ends}${key}/`),
      ];
      // whoever waits for the lock finds nothing any more
      void Promise.allSettled(forgotten).then(() => {
        releases.get(key)?.();
        releases.delete(key);
      });
    },
    watch(take) {
      const stops = new AbortController();
      const { signal } = stops;
      const asked = new Set<string>();
      const wait = ({ key }: Kept<About>) => {
        if (!locks || asked.has(key) || releases.has(key)) return;
        asked.add(key);
        const takeOver = async () => {
          asked.delete(key);
          const [kept] = await store.keptUnder<Kept<About>>(under.jobs + key);
          if (!kept) return;
          const job = await read(kept);
          const held = hold(key);
          take(job);
          await held;
        };
        // refused by the signal, or by a browser that keeps nothing
        locks.request(`${name} ${key}`, { signal }, takeOver).catch(orGoOn);
      };
      const heard = ({ data }: MessageEvent<Kept<About>>) => wait(data);
      channel.addEventListener('message', heard, { signal });
      store.keptUnder<Kept<About>>(under.jobs).then((kept) => kept.forEach(wait), orGoOn);
      return () => stops.abort();
    },
  };
}
