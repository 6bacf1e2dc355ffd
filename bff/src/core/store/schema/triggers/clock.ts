import type { Store } from '../tables.ts';

/** SQL: the time of the database, for writes that have none of their own. */
export const timeOf = (store: Store) =>
  store === 'sqlite'
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
    : `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
