import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { ActionRefs, AudienceRows } from './audience-rows.store.ts';
import { createDeviceSearch, type DeviceSearch } from './device-search.ts';
import { createDeviceTable, type DeviceTable } from './device-table.ts';
import { swarmOf } from '../devices/device-query.ts';
import { keepsValues, refOf, searchedTextsOf, sortKeysOf, tableDeviceOf, type IndexRow } from './index-row.store.ts';
import { createTextColumn } from './text-column.ts';
import { createValueColumn, type ValueColumn } from './value-column.ts';
import { createSortedTextIndex } from './sorted-text-index.ts';
import { createStaleRefs, mostAtOnce } from './stale-refs.ts';
import { indexLimits } from '../../core/limits/part-limits.ts';

export type AudienceIndex = ReturnType<typeof createAudienceIndex>;

const rowsAtOnce = 500;
/** If more devices may leave with a swarm, the index is built again. */
const mostLeaving = 4000;
/** In ms: how often the times are written at which devices were heard. */
const heardEveryMs = 5000;

/** The devices of an audience in memory: read in slices, and updated with every commit. */
export function createAudienceIndex(options: { rows: AudienceRows; audience: string; name: string }) {
  const { rows, audience, name } = options;
  const table = createDeviceTable({ hasRoles: swarmOf(audience) !== undefined });
  const texts = createTextColumn({ mostBytes: indexLimits.textBytes });
  const orders = { names: createSortedTextIndex(table), owners: createSortedTextIndex(table) };
  const searches = new Set<DeviceSearch>();
  /** By key. The last one is the one that was used last. */
  const values = new Map<string, ValueColumn>();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let building: number | undefined = 0;
  let changes = 0;

  /** `ofActions`: the refs that belong to the action of a search now. */
  function put(row: IndexRow, ofActions?: ReadonlyMap<DeviceSearch, ReadonlySet<number> | undefined>) {
    const device = tableDeviceOf(row);
    const { ref } = device;
    const before = shownOf(table, table.slotOf(ref));
    const swarms = values.size > 0 ? swarmsOf(table, ref) : undefined;
    const slot = table.put(device);
    if (!before || shownOf(table, slot)!.some((value, place) => !Object.is(value, before[place]))) changes += 1;
    const keys = sortKeysOf(row);
    orders.names.put(slot, keys.name);
    if (swarmOf(audience) !== undefined) orders.owners.put(slot, keys.owner);
    const searched = searchedTextsOf(row, audience);
    texts.put(slot, searched);
    for (const column of values.values()) {
      column.changed(ref);
      if (!keepsValues(row) || swarmsOf(table, ref) !== swarms) column.forget(slot);
    }
    for (const search of searches) {
      search.put(slot, searched, ofActions?.get(search));
      // The search began while the row was read, which is read again for it.
      if (!ofActions?.has(search)) stale.add([ref]);
    }
  }

  function remove(ref: number) {
    const slot = table.remove(ref);
    if (slot === undefined) return;
    changes += 1;
    for (const part of [orders.names, orders.owners, texts, ...searches]) part.remove(slot);
    for (const column of values.values()) column.forget(slot);
  }

  const stale = createStaleRefs(async (refs) => {
    const reading = [...searches].map(async (search) => [search, await search.read(refs)] as const);
    const [current, read] = await Promise.all([rows.byRefs(refs), Promise.all(reading)]);
    const ofActions = new Map(read);
    const missing = new Set(refs);
    for (const row of current) {
      missing.delete(refOf(row));
      put(row, ofActions);
    }
    for (const ref of missing) remove(ref);
  });

  /** Swarms that were destroyed during the build: rows may have been read before or after it. */
  const endedInBuild: string[] = [];

  /** In the audience `visible`, the devices of a destroyed swarm that the user sees in no other way leave when they are read again. */
  function endSwarm(id: string, mayLeave: readonly number[]) {
    stale.add(mayLeave);
    table.removeSwarm(id);
  }
  const mayLeaveWith = (swarm: string) => (audience === 'visible' ? table.refsIn(swarm) : []);

  async function* readAll() {
    const expected = Math.max(1, await rows.count());
    let read = 0;
    for await (const chunk of rows.chunks()) {
      for (let from = 0; from < chunk.rows.length; from += rowsAtOnce) {
        for (const row of chunk.rows.slice(from, from + rowsAtOnce)) put(row);
        yield;
      }
      read += chunk.count;
      building = Math.min(0.99, read / expected);
    }
  }

  return {
    table,
    /** Being heard is no change: the times are read again when they are needed. */
    readHeard: createHeardTimes({ table, rows }),
    orders,
    /** Resolves when the index can be queried, or the build was cancelled. Rejects if it could not be read. */
    ready,
    /** Changes with every change of the content. */
    get version(): string {
      return `${name}-${changes}`;
    },
    /** The progress from 0 to 1; undefined when it is complete and can be queried. */
    get building(): number | undefined {
      return building;
    },
    get bytes(): number {
      const parts = [table, texts, orders.names, orders.owners, ...searches, ...values.values()];
      return parts.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /** Builds the index. Yields every few milliseconds. Applies the changes during the build at its end. */
    async *build(): AsyncGenerator<void, void> {
      try {
        yield* readAll();
        for (const id of endedInBuild) endSwarm(id, mayLeaveWith(id));
        await stale.refresh();
        building = undefined;
        resolve();
      } catch (error) {
        reject(error);
      }
    },
    /** Marks the build as cancelled. */
    abandon: () => resolve(),
    /** Whether the device is in the index, or may be in it after the next `refresh`. */
    mayHave: (ref: number): boolean => building !== undefined || table.slotOf(ref) !== undefined || stale.has(ref),
    /** Marks devices as changed. */
    changed: stale.add,
    /** Removes a destroyed swarm. Returns false if so many devices may leave with it that the index must be built again. */
    endSwarm(id: string): boolean {
      if (building !== undefined) {
        endedInBuild.push(id);
        return true;
      }
      const refs = mayLeaveWith(id);
      if (refs.length > mostLeaving) return false;
      endSwarm(id, [...refs, ...stale.beingRead()]);
      return true;
    },
    /**
     * Reads the devices again that were marked before this call, and updates the index. During the build it does nothing,
     * because a chunk that is being read may have older rows.
     */
    refresh: async () => {
      if (building === undefined) await stale.refresh();
    },
    /** A search that is updated with the index until it ends. */
    newSearch(options: { q: string | undefined; actionRefs: ActionRefs | undefined; name: string }): DeviceSearch {
      const search = createDeviceSearch({ table, texts, audience, rows, ...options });
      searches.add(search);
      return search;
    },
    endSearch: (search: DeviceSearch) => void searches.delete(search),
    /** The last numbers of a key. */
    valuesOf(key: string): ValueColumn {
      const column = values.get(key) ?? createValueColumn({ table, rows, key });
      values.delete(key);
      values.set(key, column);
      for (const other of values.keys()) if (values.size > indexLimits.valueColumns) values.delete(other);
      return column;
    },
  };
}

/** What maps show of a device, except its name. */
function shownOf({ columns, profiles }: DeviceTable, slot: number | undefined) {
  if (slot === undefined) return undefined;
  const { profile, longitude, latitude, changedAt } = columns;
  const { [profile[slot]!]: combination } = profiles;
  return [combination, longitude[slot], latitude[slot], combination!.isPlaced && changedAt[slot]];
}

/** The ids of all swarms of a device, with commas between them. */
function swarmsOf({ columns, profiles, slotOf }: DeviceTable, ref: number): string | undefined {
  const slot = slotOf(ref);
  return slot === undefined ? undefined : profiles[columns.profile[slot]!]!.swarms.join(',');
}

/** Returns a function that writes into the table when its devices were heard, every few seconds at most. */
function createHeardTimes({ table, rows }: { table: DeviceTable; rows: Pick<AudienceRows, 'heard'> }) {
  let readAt = -Infinity;
  return async (): Promise<void> => {
    if (performance.now() < readAt + heardEveryMs) return;
    readAt = performance.now();
    const { ref, profile } = table.columns;
    const refs: number[] = [];
    for (let slot = 0; slot < table.end; slot++)
      if (ref[slot] !== 0 && table.profiles[profile[slot]!]!.presence !== 'never') refs.push(ref[slot]!);
    for (let from = 0; from < refs.length; from += mostAtOnce) {
      if (from > 0) await nextLoopTick();
      for (const [each, at] of await rows.heard(refs.slice(from, from + mostAtOnce))) {
        const slot = table.slotOf(each);
        if (slot !== undefined) table.columns.heardAt[slot] = at;
      }
    }
  };
}
