/**
 * Fills an account with demo data from real positions, and removes exactly that data. It uses the stores of the service,
 * and has one table of its own.
 *
 * Demo objects remain demo objects: a demo device that was renamed is removed with the others. Records of the user stay: their
 * own device in a demo swarm only leaves that swarm.
 */
import { Hono, type Context } from 'hono';
import { addUserWithoutPassword, removeUserWithoutPassword } from '../../core/accounts/users.store.ts';
import { createFairQueue, type Requester } from '../../core/limits/fair-queue.ts';
import { queueTable } from '../../core/limits/limit-tables.ts';
import { Problem } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import type { Database } from '../../core/store/database.ts';
import type { Demo } from './contract.ts';
import { createDemoData } from './demo-data.ts';
import { pastMs } from './demo-weather.ts';
import { deleteDemoRecords, usersOfOrphanedDemos, readDemo, insertDemoRecords, reserve } from './demo.store.ts';

export function createDemo(options: {
  db: Database;
  now: () => Date;
  newId: () => string;
  service: () => Pick<Service, 'storesWithoutQuotas' | 'deletions' | 'values'>;
  /** These devices were heard at a time, in ms. */
  heardThen: (ids: readonly string[], at: number) => Promise<void>;
  /** The demo of a user was added or removed. */
  onChanged: (userName: string) => void;
}) {
  const { db, now, newId, service, heardThen, onChanged } = options;
  /** One change after the other, because concurrent ones of a user would conflict, and each is hundreds of rows. */
  const queue = createFairQueue({ mostWaiting: queueTable.demos.most });

  async function inTurn<T>(requester: Requester, act: () => Promise<T>): Promise<T> {
    try {
      return await queue.run(requester, act);
    } finally {
      onChanged(requester.user);
    }
  }

  /** The first demo of a server needs no number. Each attempt has one more digit, because short numbers get used up. */
  function partnerNames(attempt: number): [string, string] {
    const number = Number.parseInt(newId().slice(-8), 16) % 10 ** (attempt + 1);
    const suffix = attempt === 0 ? '' : `-${number}`;
    return [`harbour-demo${suffix}`, `gauge-office-demo${suffix}`];
  }

  async function make(user: string, attempt = 0): Promise<boolean> {
    const at = now();
    const names = partnerNames(attempt);
    const addPartners = names.map((name) => addUserWithoutPassword({ id: newId(), userName: name, at }));
    const refused = await reserve({ db, userName: user, partners: names, addPartners });
    if (refused === 'has a demo') return false;
    if (refused === 'no user') throw new Problem('user.not_found');
    if (refused === 'name taken') return make(user, attempt + 1);
    const { storesWithoutQuotas, values } = service();
    try {
      await createDemoData({
        newId,
        user,
        partners: names,
        stores: storesWithoutQuotas(),
        pastStores: storesWithoutQuotas(() => new Date(at.getTime() - pastMs)),
        addPast: values.addPast,
        heardThen,
        now: at.getTime(),
        remember: (kind, id) => insertDemoRecords(user, kind, [id]),
      });
    } catch (error) {
      await remove(user);
      throw error;
    }
    return true;
  }

  /** The demo's own rows are deleted last, so that an interrupted removal can be repeated. */
  async function remove(userName: string): Promise<void> {
    const demo = await readDemo({ db, userName });
    if (!demo.exists) return;
    // Partners first: the user still sees their devices, and gets an event for each.
    const { deletions } = service();
    for (const partner of demo.partners) while (await deletions.deleteBatchOf(partner));
    await deletions.records({ userId: userName, resources: demo.resources, swarms: demo.swarms });
    await db.write([...demo.partners.flatMap(removeUserWithoutPassword), ...deleteDemoRecords(userName)]);
  }

  return {
    read: (userName: string): Promise<Demo> => readDemo({ db, userName }),
    /**
     * Creates the demo. Idempotent. Returns false if it existed.
     * @throws Problem `user.not_found`; `rate.exceeded` if too many changes of this user are waiting
     */
    make: (requester: Requester) => inTurn(requester, () => make(requester.user)),
    /** Removes the demo, also an incomplete one. Idempotent, also for a deleted user. @throws Problem `rate.exceeded` */
    remove: (requester: Requester) => inTurn(requester, () => remove(requester.user)),
    /** Removes demos whose user was deleted, if the server stopped before their removal. */
    async tidy(): Promise<void> {
      for (const userName of await usersOfOrphanedDemos(db)) await inTurn({ user: userName }, () => remove(userName));
    },
  };
}

/**
 * `/api/demo`: GET returns whether there is a demo, POST creates it (201; 200 if it exists), DELETE removes it (204).
 */
export function demoRoutes(options: { userOf: (c: Context) => string; demo: ReturnType<typeof createDemo> }): Hono {
  const { userOf, demo } = options;
  const routes = new Hono();
  const noStore = { 'cache-control': 'no-store' };

  routes.get('/demo', async (c) => c.json<Demo>(await demo.read(userOf(c)), 200, noStore));
  routes.post('/demo', async (c) => {
    const user = userOf(c);
    const made = await demo.make({ user, signal: c.req.raw.signal });
    return c.json<Demo>(await demo.read(user), made ? 201 : 200, noStore);
  });
  routes.delete('/demo', async (c) => {
    await demo.remove({ user: userOf(c), signal: c.req.raw.signal });
    return c.body(null, 204);
  });
  return routes;
}
