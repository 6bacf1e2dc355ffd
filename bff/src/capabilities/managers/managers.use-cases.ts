/** What owners, managers and watchers of swarms do to each other. See `use-cases.ts`. */
import type { SentBody } from '../../core/sent-body.ts';
import { Problem } from '../../core/problem.ts';
import { managerLimits } from './limits.ts';
import type { ManagerRole } from '../../core/limits/field-rules.ts';
import type { Manager } from './managers.schema.ts';
import type { Managers } from './managers.store.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { endFaults } from '../../core/members/consent-ends.ts';
import { withoutKey, type Once } from '../../core/endpoint/idempotency.store.ts';
import type { Stores } from '../../core/stores.ts';

export type ManagerUseCases = ReturnType<typeof createManagerUseCases>;

export function createManagerUseCases({
  swarms,
  managers,
  rates,
  now,
}: Pick<Stores, 'swarms'> & { managers: Managers; rates: Pick<Rates, 'managers'>; now: () => Date }) {
  return {
    /** Asks a user to manage or watch the swarm. Asking again changes nothing. The result does not reveal whether the user exists. */
    async nameManager(request: {
      userId: string;
      swarmId: string;
      sentBody: SentBody<{ user_id: string; role?: ManagerRole | undefined; ends_at?: string | undefined }>;
      once?: Once;
    }): Promise<Manager> {
      const { userId: owner, swarmId, sentBody, once = withoutKey } = request;
      const check = () => swarms.require({ userId: owner, id: swarmId, operation: 'nameManager' });
      await check();
      const body = sentBody.check();
      const { user_id: userId, role = 'manager', ends_at: endsAt } = body;
      sentBody.check(role === 'manager' && endsAt !== undefined ? [onlyWatchers] : endFaults(body, { now: now() }));
      if (userId === owner) throw new Problem('manager.own_swarm');
      const asked_at = await once(sentBody, async (claim) => {
        for (const retry = countRetries(); ; retry()) {
          const known = await managers.find({ swarmId, userId });
          if (known && (known.status === 'agreed' || known.role !== role || known.ends_at !== endsAt))
            throw new Problem('manager.exists');
          if (known) return known.asked_at;
          requireTokens(rates.managers, owner);
          const asked = await managers.ask({ swarmId, owner, userId, role, endsAt, claim });
          if (typeof asked === 'object') return asked.at;
          if (asked === 'no user') throw new Problem('key.invalid');
          await check();
          // If the user is found now, another request has asked the user meanwhile.
          if (asked === 'too many' && !(await managers.find({ swarmId, userId })))
            throw new Problem('manager.too_many', { detail: tooManyManagers });
          if (asked === 'too many unanswered') throw new Problem('manager.too_many_unanswered');
        }
      });
      return {
        swarm_id: swarmId,
        user_id: userId,
        role,
        status: 'asked',
        asked_at,
        ...(endsAt !== undefined && { ends_at: endsAt }),
      };
    },

    /** Repeated, it changes nothing. */
    async agreeToManage(request: {
      userId: string;
      swarmId: string;
      id: string;
      sentBody: SentBody<{ status: 'agreed'; ends_at?: string | undefined }>;
    }): Promise<Manager> {
      const { userId, swarmId, id, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId, id: swarmId, operation: 'agreeToManage', about: id });
        const body = sentBody.check();
        const manager = await managers.find({ swarmId, userId });
        if (!manager) throw new Problem('manager.not_found');
        if (manager.status === 'agreed') return manager;
        if (manager.role === 'manager' && body.ends_at !== undefined) sentBody.check([onlyWatchers]);
        sentBody.check(endFaults(body, { now: now(), most: manager.ends_at }));
        await managers.agree(manager, body.ends_at);
      }
    },

    /** The owner of the swarm sets any end, the watcher only an earlier one. */
    async setWatcherEnd(request: {
      userId: string;
      swarmId: string;
      id: string;
      sentBody: SentBody<{ ends_at: string | null }>;
    }): Promise<Manager> {
      const { userId, swarmId, id, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm } = await swarms.require({ userId, id: swarmId, operation: 'setWatcherEnd', about: id });
        const { ends_at: to } = sentBody.check();
        const watcher = await managers.find({ swarmId, userId: id });
        if (watcher?.role !== 'watcher') throw new Problem('manager.not_found');
        if (to === (watcher.ends_at ?? null)) return watcher;
        sentBody.check(
          endFaults({ ends_at: to }, { now: now(), most: swarm.user_id === userId ? undefined : watcher.ends_at }),
        );
        await managers.changeEnd({ watcher, to, actor: userId });
      }
    },

    /** The owner removes the manager, or the manager declines or steps down. */
    async removeManager({ userId, swarmId, id }: { userId: string; swarmId: string; id: string }) {
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId, id: swarmId, operation: 'removeManager', about: id });
        const manager = await managers.find({ swarmId, userId: id });
        if (!manager) throw new Problem('manager.not_found');
        if (await managers.remove({ manager, actor: userId })) return;
      }
    },
  };
}

const onlyWatchers = { pointer: '/ends_at', code: 'field.unknown', detail: 'is only for a watcher' };
const tooManyManagers = `A swarm can have up to ${managerLimits.ofSwarm} managers and watchers. Remove some first.`;
