/** What users do to swarms. See `use-cases.ts`. */
import type { SwarmRow } from '../../store/row-types.ts';
import type { Stores } from '../stores.ts';

export function createSwarmUseCases({ swarms }: Pick<Stores, 'swarms'>) {
  return {
    async destroySwarm(request: { userId: string; id: string; versionOf?: (found: SwarmRow) => number | undefined }) {
      const { userId, id, versionOf } = request;
      for (;;) {
        const { swarm } = await swarms.require({ userId, id, operation: 'destroySwarm' });
        if (await swarms.destroy({ id, userId, version: versionOf?.(swarm) })) return;
      }
    },
  };
}
