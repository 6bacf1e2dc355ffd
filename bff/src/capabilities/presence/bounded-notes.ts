import { Counts } from '../../core/limits/bounded-map.ts';
import { refusalLimits } from '../../core/limits/part-limits.ts';

/** What was noted of a device, so many times since it was written. */
export interface DueNote<Note> {
  id: string;
  times: number;
  note: Note;
}

interface Entry<Note> {
  owner: string;
  note: Note;
  times: number;
  /** In ms; undefined if it was not written yet. */
  writtenAt: number | undefined;
}

export type BoundedNotes<Note> = ReturnType<typeof createBoundedNotes<Note>>;

/**
 * The newest note of each device, and how often there was one since the last write, which is at most once a minute. `most`:
 * devices of all; the oldest makes room. `ofOwner`: of these, those of each owner, who causes the notes; others of theirs are not noted.
 */
export function createBoundedNotes<Note>({ most, ofOwner }: { most: number; ofOwner: number }) {
  const entries = new Map<string, Entry<Note>>();
  const owned = new Counts();

  function remove(id: string) {
    const entry = entries.get(id);
    if (entry) owned.change(entry.owner, -1);
    entries.delete(id);
  }

  return {
    get size(): number {
      return entries.size;
    },
    /** Returns whether the device had none: then it is to be written soon. */
    add(id: string, { owner, note }: { owner: string; note: Note }): boolean {
      const entry = entries.get(id);
      if (entry) {
        entry.note = note;
        entry.times += 1;
        return false;
      }
      if (owned.of(owner) >= ofOwner) return false;
      const [oldest] = entries.keys();
      if (entries.size >= most) remove(oldest!);
      owned.change(owner, 1);
      entries.set(id, { owner, note, times: 1, writtenAt: undefined });
      return true;
    },
    /** The note that waits to be written. */
    unwritten(id: string): Note | undefined {
      const entry = entries.get(id);
      return entry && entry.times > 0 ? entry.note : undefined;
    },
    /** It is not written any more. The next one of the device waits as long as before. */
    drop(id: string): void {
      const entry = entries.get(id);
      if (entry) entry.times = 0;
    },
    /** What is to be written now. Forgets devices that were quiet for a minute. */
    takeDue(at: number): DueNote<Note>[] {
      const due: DueNote<Note>[] = [];
      for (const [id, entry] of entries) {
        const { times, note, writtenAt } = entry;
        // A clock that was set back makes none wait longer.
        if (writtenAt !== undefined && Math.abs(at - writtenAt) < refusalLimits.writtenEachMs) continue;
        if (times === 0) remove(id);
        else {
          due.push({ id, times, note });
          entry.times = 0;
          entry.writtenAt = at;
        }
      }
      return due;
    },
    /** Takes notes back that could not be written. */
    putBack(due: readonly DueNote<Note>[]): void {
      for (const { id, times } of due) {
        const entry = entries.get(id);
        if (!entry) continue;
        entry.times += times;
        entry.writtenAt = undefined;
      }
    },
  };
}
