/**
 * ROOM "something to look at": fills an account with a small world from real positions, and takes exactly that away
 * again. It knows the service and the users as functions that app.ts hands it, and of the database its own table.
 *
 * What was made stays part of the demo, whatever becomes of it: a demo device that was renamed goes with the others.
 * What the user made or added goes nowhere: a device of theirs in a demo swarm only leaves it.
 */
import type { Demo } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../storage/database.ts';
import type { Row, Statement } from '../storage/statement.ts';
import { forget, isAsRemembered, isFree, readDemo, remember } from './demo.store.ts';
import { playDemo } from './demo-story.ts';
import type { Acts } from './demo-story.ts';

/** Acts that become one write, with other statements before and after them. */
export interface Together extends Acts {
  destroyResource(act: { id: string; userId: string }): void;
  destroySwarm(act: { id: string }): void;
  /** The results of `before`; undefined where an expectation failed, and nothing happened. */
  commit(around: { before: Statement[]; after: Statement[] }): Promise<Row[][] | undefined>;
}

/** What ends with a user: for the write that deletes them, and for after it. */
export interface Ending {
  statements: Statement[];
  tell(rows: readonly Row[][]): void;
}

export function createDemo(options: {
  db: Database;
  now: () => Date;
  newId: () => string;
  together: () => Together;
  endingOf: (userName: string) => Ending;
  /** Users who cannot sign in. */
  partners: {
    add(partner: { id: string; userName: string; at: Date }): Statement;
    remove(userName: string): Statement[];
    /** Caches that know one are told. */
    onRemoved(userName: string): void;
  };
}) {
  const { db, now, newId, together, endingOf, partners } = options;

  /** Of the partners of a demo, in the form that the end of its user's account has as well. */
  function endingOfPartners(userName: string, demo: Demo): Ending {
    const names = demo.partners;
    const endings = names.map((name) => endingOf(name));
    const guard = isAsRemembered(userName, demo);
    return {
      statements: [guard, ...endings.flatMap(({ statements }) => statements)],
      tell(rows) {
        let from = 1;
        for (const { statements, tell } of endings) {
          tell(rows.slice(from, from + statements.length));
          from += statements.length;
        }
        for (const name of names) partners.onRemoved(name);
      },
    };
  }

  const removed = (userName: string, demo: Demo) => [...demo.partners.flatMap(partners.remove), forget(userName)];

  return {
    read: (userName: string): Demo => readDemo({ db, userName }),

    /** Asking twice changes nothing. False: it was there. Throws Problem `user.not_found`. */
    async make(userName: string): Promise<boolean> {
      const at = now();
      // a name is at most 32 characters, and nobody else's
      const suffix = newId().slice(-8);
      const names = [`harbour-demo-${suffix}`, `gauge-office-demo-${suffix}`] as const;
      const acts = together();
      const made = playDemo({ acts, user: userName, partners: names, now: at });
      const committed = await acts.commit({
        before: [...isFree(userName), ...names.map((name) => partners.add({ id: newId(), userName: name, at }))],
        after: [remember(userName, { ...made, partners: [...names] })],
      });
      if (committed) return true;
      if (!readDemo({ db, userName }).there) throw new Problem('user.not_found');
      return false;
    },

    /** Asking twice changes nothing. */
    async remove(userName: string): Promise<void> {
      for (;;) {
        const demo = readDemo({ db, userName });
        if (!demo.there) return;
        const acts = together();
        for (const id of demo.resources) acts.destroyResource({ id, userId: userName });
        for (const id of demo.swarms) acts.destroySwarm({ id });
        const ending = endingOfPartners(userName, demo);
        const committed = await acts.commit({ before: ending.statements, after: removed(userName, demo) });
        if (committed) return ending.tell(committed);
      }
    },

    /** Goes with the user: what was theirs ends with their account, the partners end here. */
    endingOf(userName: string): Ending {
      const demo = readDemo({ db, userName });
      const { statements, tell } = endingOfPartners(userName, demo);
      return { statements: [...statements, ...removed(userName, demo)], tell };
    },
  };
}
