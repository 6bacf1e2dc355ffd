/** What the owner of a swarm and the manager to whom it is offered do, and what users are offered. See `use-cases.ts`. */
import type { SwarmSummary } from '../../contract.ts';
import type { SentBody } from '../../core/sent-body.ts';
import { Problem } from '../../core/problem.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { countRetries } from '../../core/limits/retries.ts';
import type { Stores } from '../../core/stores.ts';
import type { Manager } from '../managers/managers.schema.ts';
import type { Managers } from '../managers/managers.store.ts';
import type { Offer } from './handovers.schema.ts';
import type { Handovers } from './handovers.store.ts';
import type { SwarmHandovers } from './swarm-handovers.store.ts';

export type SwarmHandoverUseCases = ReturnType<typeof createSwarmHandoverUseCases>;

export function createSwarmHandoverUseCases({
  swarms,
  managers,
  handovers,
  swarmHandovers,
  rates,
}: Pick<Stores, 'swarms'> & {
  managers: Pick<Managers, 'find' | 'ofSwarm'>;
  handovers: Pick<Handovers, 'offersTo'>;
  swarmHandovers: SwarmHandovers;
  rates: Pick<Rates, 'managers'>;
}) {
  return {
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
        await swarmHandovers.offer({ swarmId, owner, userId });
      }
    },

    /** The owner ends the offer, or the manager to whom the swarm is offered declines it. */
    async endSwarmOffer({ userId, swarmId }: { userId: string; swarmId: string }) {
      for (const retry = countRetries(); ; retry()) {
        const offered = (await managers.ofSwarm(swarmId)).find(({ offered_at }) => offered_at !== undefined);
        await swarms.require({ userId, id: swarmId, operation: 'endSwarmOffer', about: offered?.user_id });
        if (!offered) throw new Problem('handover.not_found');
        if (await swarmHandovers.end({ swarmId, userId: offered.user_id, actor: userId })) return;
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
        if (isOffered && (await swarmHandovers.takeOver({ swarmId, owner, userId }))) return;
        if (!(await swarmHandovers.hasAccount(owner))) throw new Problem('swarm.not_found');
        // Another request may have taken the swarm over, or deleted it, since this one read it.
        if (!isOffered && (await swarms.find(swarmId))?.user_id === owner) throw new Problem('handover.not_found');
      }
    },

    /** The devices and swarms that the user is offered, and the swarms that owners ask the user to manage or to watch. */
    async offersTo(userId: string): Promise<Offer[]> {
      const offers = await swarmHandovers.offersTo(userId);
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
