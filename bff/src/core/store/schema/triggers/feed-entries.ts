/** SQL that appends to the feed, which tells every process what has changed. */
import type { Store } from '../tables.ts';
import type { Trigger } from './trigger.ts';

/** PostgreSQL numbers the entries after their commit (`publish_feed`). */
export const feedOf = (store: Store) => (store === 'sqlite' ? 'feed' : 'feed_pending');

/** Appends one entry. `values` are SQL expressions by column. */
export function appendEntry(
  store: Store,
  kind: string,
  values: Record<string, string>,
  { when }: { when?: string } = {},
): string {
  const selected = [`'${kind}'`, ...Object.values(values)].join(', ');
  return `INSERT INTO ${feedOf(store)} (${['kind', ...Object.keys(values)].join(', ')})
      ${when === undefined ? `VALUES (${selected})` : `SELECT ${selected} WHERE ${when}`};`;
}

/** A trigger that does nothing but append an entry for each row. */
export const appendsEntry = (
  store: Store,
  { name, on, kind, values }: Pick<Trigger, 'name' | 'on'> & { kind: string; values: Record<string, string> },
): Trigger => ({ name, on, body: appendEntry(store, kind, values) });
