/**
 * What devices were refused, since they last were right, and wrong keys that were used for them. Counted in memory, and written with
 * presence, because a device that is refused sends again: at most once a minute for each. Their owners are shown it.
 */
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { BoundedMap } from '../../core/limits/bounded-map.ts';
import { refusalLimits } from '../../core/limits/part-limits.ts';
import { presenceMemory } from './limits.ts';
import { createBoundedNotes, type BoundedNotes, type DueNote } from './bounded-notes.ts';
import type { EndedRefusal, RefusalStore } from './refusals.store.ts';

/** Why a request was refused. `operation`: what it asked for; empty if that is not known, or no key of a device may do it. */
interface Refusal {
  code: string;
  detail: string;
  operation: string;
}

interface RefusalNote extends Refusal {
  at: number;
}

export function createRefusals(options: {
  store: RefusalStore;
  feed: Pick<ChangeFeed, 'subscribe'>;
  now: () => Date;
  /** Called when something is to be written that nobody has seen yet. */
  onNew: () => void;
}) {
  const { store, feed, now, onNew } = options;
  const { ofUser, ofAddress } = refusalLimits;
  const { most } = presenceMemory.refused_devices;
  const refused = createBoundedNotes<RefusalNote>({ most, ofOwner: ofUser });
  const wrongKeys = createBoundedNotes<{ at: number }>({ most, ofOwner: ofAddress });
  /** Devices of which a refusal is stored, with its operation: what is accepted ends it. */
  const stored = new BoundedMap<string, string>(most);
  /** Devices whose stored refusal has changed since `stored` was read; undefined: all of them. */
  let changed: Set<string> | undefined;
  /** What has ended since the last write. */
  let ended = new Map<string, EndedRefusal>();

  const unsubscribe = feed.subscribe((entries) => {
    if (!entries) changed = undefined;
    for (const { kind, resource_id } of entries ?? []) {
      if (kind === 'refusals.changed') changed?.add(resource_id!);
      if (kind !== 'resource.destroyed') continue;
      stored.delete(resource_id!);
      refused.drop(resource_id!);
      wrongKeys.drop(resource_id!);
    }
  });

  async function readChanged() {
    if (changed?.size === 0) return;
    const ids = changed;
    changed = new Set();
    try {
      const read = await store.refused(ids && [...ids], most);
      for (const id of ids ?? stored.keys()) stored.delete(id);
      for (const { id, operation } of read) stored.set(id, operation);
    } catch (error) {
      changed = ids && changed && new Set([...ids, ...changed]);
      throw error;
    }
  }

  async function writeEnded() {
    const written = ended;
    if (written.size === 0) return;
    ended = new Map();
    try {
      await store.end([...written.values()]);
    } catch (error) {
      ended = new Map([...written, ...ended]);
      throw error;
    }
    for (const { id } of written.values()) stored.delete(id);
  }

  return {
    /** A request of the device was refused. `userId`: its owner. */
    refused({ id, userId }: { id: string; userId: string }, refusal: Refusal): void {
      const { operation, code } = refusal;
      const detail = refusal.detail.slice(0, refusalLimits.detailLength).toWellFormed();
      const isNew = refused.add(id, { owner: userId, note: { operation, code, detail, at: now().getTime() } });
      if (isNew) onNew();
    },
    /** A wrong key was used for the device. `from`: the address of the client, or the user whose key it is. */
    wrongKey(id: string, from: string): void {
      if (wrongKeys.add(id, { owner: from, note: { at: now().getTime() } })) onNew();
    },
    /** A request of the device was accepted. It ends the refusals of the same operation. */
    accepted(id: string, operation: string): void {
      if (stored.size === 0 && refused.size === 0 && !changed?.size) return;
      const unwritten = refused.unwritten(id);
      const endsIt = (by: string) => by === '' || by === operation;
      if (unwritten && endsIt(unwritten.operation)) refused.drop(id);
      const by = stored.get(id);
      if (by === undefined ? !changed?.has(id) : !endsIt(by)) return;
      if (ended.has(`${id} ${operation}`)) return;
      ended.set(`${id} ${operation}`, { id, operation });
      onNew();
    },
    /** Writes what is due. What has ended comes first: the refusals that are due are newer. */
    async write(): Promise<void> {
      await readChanged();
      await writeEnded();
      const due = await writeDue(refused, now().getTime(), store.refuse);
      for (const { id, note } of due) stored.set(id, note.operation);
      await writeDue(wrongKeys, now().getTime(), store.addWrongKeys);
    },
    close: unsubscribe,
  };
}

/** Returns what was written. */
async function writeDue<Note extends object>(
  notes: BoundedNotes<Note>,
  at: number,
  write: (due: ({ id: string; times: number } & Note)[]) => Promise<void>,
): Promise<DueNote<Note>[]> {
  const due = notes.takeDue(at);
  try {
    if (due.length > 0) await write(due.map(({ id, times, note }) => ({ id, times, ...note })));
  } catch (error) {
    notes.putBack(due);
    throw error;
  }
  return due;
}
