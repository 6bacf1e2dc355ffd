/**
 * Fills an account with demo data from real positions, and removes exactly that data. It calls the service and the
 * sign-in module through functions that app.ts passes, and has one table of its own.
 *
 * Demo objects remain demo objects: a demo device that was renamed is removed with the others. What the user created or
 * added stays: a device of theirs in a demo swarm only leaves it.
 */
import type { Demo } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/statement.ts';
import type { Statement } from '../store/statement.ts';
import { playDemo } from './demo-story.ts';
import type { Acts } from './demo-story.ts';
import { forget, isFree, isNameFree, isNameFreeNow, orphaned, readDemo, remember } from './demo.store.ts';

/** Changes that are committed as one write, with other statements before and after them. */
interface UnitOfWork extends Acts {
  /** Returns false if an expectation failed: then nothing is written. */
  commit(around: { before: Statement[]; after: Statement[] }): Promise<boolean>;
}

/** Deletions by the service. Many records are deleted in several writes. */
interface Deletions {
  records(of: { userId: string; resources: string[]; swarms: string[] }): Promise<void>;
  /** Everything that the user owns. */
  ofUser(userName: string): Promise<void>;
}

export function createDemo(options: {
  db: Database;
  now: () => Date;
  newId: () => string;
  unitOfWork: () => UnitOfWork;
  deletions: Deletions;
  /** Users who cannot sign in. */
  partners: {
    add(partner: { id: string; userName: string; at: Date }): Statement;
    remove(userName: string): Statement[];
  };
}) {
  const { db, now, newId, unitOfWork, deletions, partners } = options;
  const turns = new Map<string, Promise<unknown>>();

  /** Runs the changes of one user one after the other, because concurrent ones would conflict. */
  async function inTurn<T>(userName: string, act: () => Promise<T>): Promise<T> {
    const mine = (turns.get(userName) ?? Promise.resolve()).then(act);
    const over = mine.catch(() => {});
    turns.set(userName, over);
    try {
      return await mine;
    } finally {
      if (turns.get(userName) === over) turns.delete(userName);
    }
  }

  /** The first demo of a server needs no number. Each attempt has one more digit, because short numbers get used up. */
  function partnerNames(attempt: number): [string, string] {
    const number = Number.parseInt(newId().slice(-8), 16) % 10 ** (attempt + 1);
    const end = attempt === 0 ? '' : `-${number}`;
    return [`harbour-demo${end}`, `gauge-office-demo${end}`];
  }

  async function make(userName: string, attempt = 0): Promise<boolean> {
    const at = now();
    const names = partnerNames(attempt);
    const acts = unitOfWork();
    const made = playDemo({ acts, user: userName, partners: names, now: at });
    // Another demo may take the same names at this moment.
    const isTaken = (error: unknown) => {
      if (error instanceof StorageError && error.kind === 'constraint') return false;
      throw error;
    };
    const written = acts.commit({
      before: [
        ...isFree(userName),
        ...names.map(isNameFree),
        ...names.map((name) => partners.add({ id: newId(), userName: name, at })),
      ],
      after: [remember(userName, { ...made, partners: names })],
    });
    if (await written.catch(isTaken)) return true;
    if ((await readDemo({ db, userName })).there) return false;
    const areFree = await Promise.all(names.map((name) => isNameFreeNow({ db, name })));
    if (areFree.every(Boolean)) throw new Problem('user.not_found');
    return make(userName, attempt + 1);
  }

  /** The demo's own rows are deleted last, so that an interrupted removal can be repeated. */
  async function remove(userName: string): Promise<void> {
    const demo = await readDemo({ db, userName });
    if (!demo.there) return;
    // partners first: the user still sees their devices, and gets an event for each
    for (const partner of demo.partners) await deletions.ofUser(partner);
    await deletions.records({ userId: userName, resources: demo.resources, swarms: demo.swarms });
    await db.write([...demo.partners.flatMap(partners.remove), ...forget(userName)]);
  }

  return {
    read: (userName: string): Promise<Demo> => readDemo({ db, userName }),
    /** Creates the demo. Idempotent. Returns false if it existed. @throws Problem `user.not_found` */
    make: (userName: string) => inTurn(userName, () => make(userName)),
    /** Removes the demo. Idempotent, also for a deleted user. */
    remove: (userName: string) => inTurn(userName, () => remove(userName)),
    /** Removes demos whose user was deleted, if the server stopped before their removal. */
    async tidy(): Promise<void> {
      for (const userName of await orphaned(db)) await inTurn(userName, () => remove(userName));
    },
  };
}
