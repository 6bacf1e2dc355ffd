import type { Connection } from './connection.ts';

/**
 * Something of which a view may have to look again: a resource (by its `ref`) that was made, changed, destroyed, or
 * whose membership in a swarm did; or a user who may see a swarm's members from now on, or not any more.
 */
export type Change =
  | { resource: number; user: string }
  | { resource: number; swarm: string }
  | { user: string; swarm: string }
  /** So much at once that it is not told one by one. */
  | { everything: true };

/** What the writer changes, in its order. */
export interface ChangeLog {
  /** How far it has come: what a savepoint goes back to. */
  mark(): number;
  undo(to: number): void;
  /** All of it, and begins anew. */
  take(): Change[];
}

/** What goes from thread to thread with a commit; more than that comes of ending a large account. */
const mostChanges = 10_000;

/** A destroyed resource takes its memberships with it, so these are told while it is still there. */
const triggers = [
  `AFTER INSERT ON main.resources BEGIN SELECT note_change(new.ref, new.user_id, NULL); END`,
  `AFTER UPDATE ON main.resources BEGIN SELECT note_change(new.ref, new.user_id, NULL); END`,
  `AFTER DELETE ON main.resources BEGIN SELECT note_change(old.ref, old.user_id, NULL); END`,
  `AFTER INSERT ON main.memberships BEGIN ${ofMember('new')} END`,
  `AFTER UPDATE ON main.memberships BEGIN ${ofMember('new')} END`,
  `BEFORE DELETE ON main.memberships BEGIN ${ofMember('old')} END`,
  `AFTER INSERT ON main.swarm_viewers BEGIN SELECT note_change(NULL, new.user_id, new.swarm_id); END`,
  `AFTER DELETE ON main.swarm_viewers BEGIN SELECT note_change(NULL, old.user_id, old.swarm_id); END`,
];

function ofMember(row: 'new' | 'old'): string {
  return `SELECT note_change((SELECT ref FROM resources WHERE id = ${row}.resource_id), NULL, ${row}.swarm_id);`;
}

/** Triggers of this connection alone: they see whatever way a row was changed, also by other triggers and cascades. */
export function openChangeLog({ raw }: Connection): ChangeLog {
  let changes: Change[] = [];
  let tooMany = false;
  raw.function('note_change', (resource, user, swarm) => {
    const change = { ...(resource !== null && { resource }), ...(user !== null && { user }) };
    tooMany ||= changes.length === mostChanges;
    if (!tooMany) changes.push({ ...change, ...(swarm !== null && { swarm }) } as Change);
    return null;
  });
  for (const [index, trigger] of triggers.entries()) raw.exec(`CREATE TEMP TRIGGER note_${index} ${trigger}`);
  return {
    mark: () => changes.length,
    undo(to) {
      changes.length = to;
    },
    take() {
      const taken: Change[] = tooMany ? [{ everything: true }] : changes;
      changes = [];
      tooMany = false;
      return taken;
    },
  };
}
