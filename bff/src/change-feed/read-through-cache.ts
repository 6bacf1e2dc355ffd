import type { FeedRow } from '../store/row-types.ts';
import type { ChangeFeed } from './change-feed.ts';

const mostValues = 10_000;

/** A bounded cache of what was read from the database. A value is removed when the feed has an entry about it. */
export function createReadThroughCache<T>(options: {
  feed: Pick<ChangeFeed, 'newest' | 'subscribe'>;
  /** The kind of the entries, whose `record_id` is compared with `idOf`. */
  kind: FeedRow['kind'];
  idOf: (value: T) => string;
}) {
  const { feed, kind, idOf } = options;
  /** Oldest first. */
  const values = new Map<string, T>();
  /** `seq` of the last change of this kind. */
  let changedAt = 0;

  feed.subscribe((entries) => {
    if (!entries) {
      values.clear();
      changedAt = feed.newest;
      return;
    }
    const changes = entries.filter((entry) => entry.kind === kind);
    if (changes.length === 0) return;
    changedAt = changes.at(-1)!.seq;
    const ids = new Set(changes.map(({ record_id }) => record_id));
    for (const [key, value] of values) if (ids.has(idOf(value))) values.delete(key);
  });

  function set(key: string, value: T) {
    if (values.size >= mostValues) values.delete(values.keys().next().value!);
    values.set(key, value);
  }

  return {
    get: (key: string) => values.get(key),
    set,
    /** Returns what `read` returns, and caches it unless something of the kind has changed while it was read. */
    async read(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const before = feed.newest;
      const value = await read();
      if (value !== undefined && changedAt <= before) set(key, value);
      return value;
    },
  };
}
