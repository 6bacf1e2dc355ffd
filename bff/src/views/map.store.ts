import type { Database } from '../storage/database.ts';
import { startThread } from '../storage/thread.ts';
import type { Thread } from '../storage/thread.ts';
import type { MapQuery } from './filters.ts';
import type { ColumnTexts, MapReply, MapRequest } from './map.thread.ts';
import { everyOf, matchesOf, requireAudience } from './matches.store.ts';

export interface MapStore {
  /** A MapView as JSON. Throws `swarm.not_found` as `requireAudience` does. */
  view(asked: { user: string; query: MapQuery }): Promise<string>;
  close(): Promise<void>;
}

/**
 * What the map shows. Devices are read in the reader thread and grouped in a thread of their own, which keeps what it
 * has read until the database changes; the event loop only carries text from one to the other.
 */
export function createMapStore({ db, fold }: { db: Database; fold: (text: string) => string }): MapStore {
  let thread: Thread<MapRequest, MapReply> | undefined;
  const loading = new Map<string, Promise<unknown>>();
  const states = createStates(db);

  function ask(request: MapRequest): Promise<MapReply> {
    if (!thread?.alive) thread = startThread(new URL('./map.thread.ts', import.meta.url), {});
    return thread.ask(request);
  }

  /** Once for all who wait for the same. */
  function load(wanted: { user: string; filters: MapQuery['filters']; key: string; state: number }): Promise<unknown> {
    const { user, filters, key, state } = wanted;
    const name = `${state} ${key}`;
    const started = loading.get(name) ?? loadColumns().finally(() => loading.delete(name));
    loading.set(name, started);
    return started;

    async function loadColumns() {
      const { sql, params } = everyOf(matchesOf({ user, filters, fold }));
      const [columns] = await db.query<ColumnTexts>(selectColumns(sql), params);
      await ask({ key, state, columns: { ...columns! } });
    }
  }

  return {
    async view({ user, query: { filters, bbox, zoom } }) {
      await requireAudience({ db, user, audience: filters.audience });
      const key = JSON.stringify([user, filters]);
      const state = states.current();
      for (;;) {
        const answer = await ask({ key, state, bbox, zoom });
        if (answer !== null) return answer;
        await load({ user, filters, key, state });
      }
    },
    close: async () => thread?.stop(),
  };
}

/** Counts states of the database: every commit of the writer makes a new one, whoever it was for. */
function createStates(db: Database) {
  let count = 0;
  let seen: number | undefined;
  return {
    current(): number {
      const version = db.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
      if (version !== seen) count += 1;
      seen = version;
      return count;
    },
  };
}

function selectColumns(where: string): string {
  const texts = ['id', 'name', 'machine_type', 'longitude', 'latitude', 'changed_at'].map(
    (column) => `CAST(json_group_array(${column}) AS BLOB) AS ${column}`,
  );
  return `SELECT ${texts.join(', ')}
    FROM (SELECT id, name, machine_type, longitude, latitude, changed_at
      FROM resources r WHERE ${where} ORDER BY r.created_at, r.id)`;
}
