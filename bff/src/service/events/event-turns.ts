import { Counts } from '../../limits/bounded-map.ts';
import type { FeedRow } from '../../store/row-types.ts';

interface Waiting {
  entry: FeedRow;
  /** `seq` of the first entry in its place. */
  since: number;
}

/**
 * The users who get an event are found by the swarms of the changed resource: one device in many swarms can cost as much as a thousand others. So
 * the rows that are read are charged to the owner of the resource. Beyond `ofOwner` in a beat, the changes of this owner wait for a
 * later one, with only the last of each record.
 */
export function createEventTurns({ ofOwner }: { ofOwner: number }) {
  const used = new Counts();
  /** The waiting entries by record, in the order in which they began to wait. */
  const waiting = new Map<string, Waiting>();

  function wait(entry: FeedRow): void {
    const key = recordOf(entry);
    const before = waiting.get(key);
    waiting.set(key, { entry: merged(before?.entry, entry), since: before?.since ?? entry.seq });
  }

  return {
    wait,
    get size(): number {
      return waiting.size;
    },
    /** Whether this change waits: because an older one of its record does, or because its owner is beyond the limit. */
    mustWait: (entry: FeedRow): boolean => waiting.has(recordOf(entry)) || used.of(entry.owner!) >= ofOwner,
    /** The record has ended: its end is told instead. */
    drop(ended: Pick<FeedRow, 'kind' | 'resource_id' | 'swarm_id'>): void {
      if (waiting.size === 0) return;
      if (ended.kind === 'resource.destroyed') for (const of of ofResource) waiting.delete(`${of}${ended.resource_id}`);
      if (ended.kind === 'swarm.destroyed') waiting.delete(`${ofSwarm}${ended.swarm_id}`);
    },
    charge(owner: string, rows: number): void {
      used.change(owner, rows);
    },
    /** Begins a beat. Returns those of these changes, and of the waiting ones, whose turn it is. The others wait. */
    next(changes: readonly FeedRow[]): FeedRow[] {
      for (const change of changes) wait(change);
      for (const [owner, rows] of used) used.change(owner, -Math.min(rows, ofOwner));
      const due = [...waiting].filter(([, { entry }]) => used.of(entry.owner!) < ofOwner);
      for (const [key] of due) waiting.delete(key);
      return due.map(([, { entry }]) => entry);
    },
    /** `seq` of the oldest change that waits, or that another one has replaced. */
    oldest(): number {
      let oldest = Infinity;
      for (const { since } of waiting.values()) oldest = Math.min(oldest, since);
      return oldest;
    },
    clear(): void {
      waiting.clear();
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
