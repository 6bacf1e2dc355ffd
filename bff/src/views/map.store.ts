import type { Database } from '../storage/database.ts';
import { startThread } from '../storage/thread.ts';
import type { Thread } from '../storage/thread.ts';
import type { MapQuery } from './filters.ts';
import type { ColumnTexts, MapReply, MapRequest } from './map.thread.ts';
import { everyOf, matchesOf } from './matches.store.ts';
import type { Matches } from './matches.store.ts';

export interface MapStore {
  /** A MapView as JSON; whether the caller may see that audience has been asked before. */
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
      const matches = matchesOf({ user, filters, fold });
      const [columns] = await db.query<ColumnTexts>(selectColumns(matches), everyOf(matches).params);
      await ask({ key, state, columns: { ...columns! } });
    }
  }

  return {
    async view({ user, query: { filters, bbox, zoom } }) {
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

function selectColumns(matches: Matches): string {
  const role = matches.swarm === undefined ? [] : ['resource_type'];
  const columns = ['id', 'name', 'machine_type', ...role, 'longitude', 'latitude', 'changed_at'];
  const texts = columns.map((column) => `CAST(json_group_array(${column}) AS BLOB) AS ${column}`);
  return `SELECT ${texts.join(', ')}
    FROM (SELECT ${columns.join(', ')}
      FROM ${matches.devices} WHERE ${everyOf(matches).sql} ORDER BY r.created_at, r.id)`;
}
