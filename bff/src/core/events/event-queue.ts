import { Counts } from '../limits/bounded-map.ts';
import type { FeedRow } from '../store/row-types.ts';

interface QueuedEntry {
  entry: FeedRow;
  /** `seq` of the first of the entries that it has replaced. */
  since: number;
}

/**
 * The users who get an event are found by the swarms of the changed resource: one device in many swarms can cost as much as a thousand others. So
 * the rows that are read are charged to the owner of the resource. Beyond `ofOwner` in a beat, the changes of this owner wait for a
 * later one, with only the last of each record.
 */
export function createEventQueue({ ofOwner }: { ofOwner: number }) {
  const used = new Counts();
  /** The waiting entries by record, in the order in which they began to wait. */
  const queue = new Map<string, QueuedEntry>();

  function enqueue(entry: FeedRow): void {
    const key = recordOf(entry);
    const before = queue.get(key);
    queue.set(key, { entry: merged(before?.entry, entry), since: before?.since ?? entry.seq });
  }

  return {
    enqueue,
    get size(): number {
      return queue.size;
    },
    /** Whether this change waits: because an older one of its record does, or because its owner is beyond the limit. */
    mustWait: (entry: FeedRow): boolean => queue.has(recordOf(entry)) || used.of(entry.owner!) >= ofOwner,
    /** The record has ended: its end is sent instead. */
    drop(ended: Pick<FeedRow, 'kind' | 'resource_id' | 'swarm_id'>): void {
      if (queue.size === 0) return;
      if (ended.kind === 'resource.destroyed')
        for (const prefix of ofResource) queue.delete(`${prefix}${ended.resource_id}`);
      if (ended.kind === 'swarm.destroyed') queue.delete(`${ofSwarm}${ended.swarm_id}`);
    },
    charge(owner: string, rows: number): void {
      used.change(owner, rows);
    },
    /** Begins a beat. Returns those of these changes, and of the waiting ones, whose owners are within the limit. The others wait. */
    next(changes: readonly FeedRow[]): FeedRow[] {
      for (const change of changes) enqueue(change);
      for (const [owner, rows] of used) used.change(owner, -Math.min(rows, ofOwner));
      const due = [...queue].filter(([, { entry }]) => used.of(entry.owner!) < ofOwner);
      for (const [key] of due) queue.delete(key);
      return due.map(([, { entry }]) => entry);
    },
    /** `seq` of the oldest change that waits, or that another one has replaced. */
    oldest(): number {
      let oldest = Infinity;
      for (const { since } of queue.values()) oldest = Math.min(oldest, since);
      return oldest;
    },
    clear(): void {
      queue.clear();
    },
  };
}

const ofResource = ['resource ', 'presence '] as const;
const ofSwarm = 'swarm ';

/** The record of a change that may wait, and what changes of it. */
export function recordOf({ kind, resource_id, swarm_id }: FeedRow): string {
  if (kind === 'swarm.updated') return `${ofSwarm}${swarm_id}`;
  return `${kind === 'presence.changed' ? 'presence ' : 'resource '}${resource_id}`;
}

/** A browser is not told of moves: what is more than a move stays so. */
const merged = (before: FeedRow | undefined, entry: FeedRow): FeedRow =>
  before?.kind === 'resource.updated' ? { ...entry, kind: 'resource.updated' } : entry;
