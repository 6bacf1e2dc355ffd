/** What owners, managers and watchers of swarms do to each other. See `use-cases.ts`. */
import type { Manager, ManagerRole, Offer, SwarmSummary } from '../../contract.ts';
import type { SentBody } from '../../core/sent-body.ts';
import { Problem } from '../../core/problem.ts';
import { managerLimits } from './limits.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { endFaults } from '../../core/members/consent-ends.ts';
import { withoutKey, type Once } from '../../core/endpoint/idempotency.store.ts';
import type { Stores } from '../../service/stores.ts';

export type ManagerUseCases = ReturnType<typeof createManagerUseCases>;

export function createManagerUseCases({
  swarms,
  managers,
  handovers,
  rates,
  now,
}: Pick<Stores, 'swarms' | 'managers' | 'handovers'> & { rates: Pick<Rates, 'managers'>; now: () => Date }) {
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

    /** Offering it again to the same manager changes nothing. */
    async offerSwarm(request: {
      userId: string;
      swarmId: string;
      sentBody: SentBody<{ user_id: string }>;
    }): Promise<Manager> {
      const { userId: owner, swarmId, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId: owner, id: swarmId, operation: 'offerSwarm' });
        const { user_id: userId } = sentBody.check();
        const manager = await managers.find({ swarmId, userId });
        if (manager?.role !== 'manager' || manager.status !== 'agreed') throw new Problem('handover.no_manager');
        if (manager.offered_at !== undefined) return manager;
        requireTokens(rates.managers, owner);
        await managers.offer({ swarmId, owner, userId });
      }
    },

    /** The owner ends the offer, or the manager to whom the swarm is offered declines it. */
    async endSwarmOffer({ userId, swarmId }: { userId: string; swarmId: string }) {
      for (const retry = countRetries(); ; retry()) {
        const offered = (await managers.ofSwarm(swarmId)).find(({ offered_at }) => offered_at !== undefined);
        await swarms.require({ userId, id: swarmId, operation: 'endSwarmOffer', about: offered?.user_id });
        if (!offered) throw new Problem('handover.not_found');
        if (await managers.endOffer({ swarmId, userId: offered.user_id, actor: userId })) return;
      }
    },

    /** Repeated, it changes nothing. */
    async takeOverSwarm(request: { userId: string; swarmId: string; sentBody: SentBody<{ user_id: string }> }) {
      const { userId, swarmId, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm } = await swarms.require({ userId, id: swarmId, operation: 'takeOverSwarm' });
        if (sentBody.check().user_id !== userId) throw new Problem('swarm.forbidden');
        if (swarm.user_id === userId) return;
        const owner = swarm.user_id;
        const isOffered = (await managers.find({ swarmId, userId }))?.offered_at !== undefined;
        if (isOffered && (await managers.takeOver({ swarmId, owner, userId }))) return;
        if (!(await managers.hasAccount(owner))) throw new Problem('swarm.not_found');
        // Another request may have taken the swarm over, or deleted it, since this one read it.
        if (!isOffered && (await swarms.find(swarmId))?.user_id === owner) throw new Problem('handover.not_found');
      }
    },

    /** The devices and swarms that the user is offered, and the swarms that owners ask the user to manage or to watch. */
    async offersTo(userId: string): Promise<Offer[]> {
      const offers = await managers.offersTo(userId);
      const summaries = await swarms.summariesFor({ userId, ids: offers.map(({ swarm_id }) => swarm_id) });
      const ofSwarms = offers.flatMap(({ swarm_id, ends_at, ...more }) => {
        const summary = summaries.get(swarm_id);
        return summary === undefined
          ? []
          : [{ ...more, ...(ends_at !== null && { ends_at }), swarm: JSON.parse(summary) as SwarmSummary }];
      });
      return [...(await handovers.offersTo(userId)), ...ofSwarms];
    },
  };
}

const onlyWatchers = { pointer: '/ends_at', code: 'field.unknown', detail: 'is only for a watcher' };
const tooManyManagers = `A swarm can have up to ${managerLimits.ofSwarm} managers and watchers. Remove some first.`;
