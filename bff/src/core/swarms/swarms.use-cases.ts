/** What users do to swarms. See `use-cases.ts`. */
import type { ExtendedSwarm, Swarm, SwarmCreate, SwarmUpdate } from '../../contract.ts';
import type { Requester } from '../limits/fair-queue.ts';
import { limits } from '../limits/field-rules.ts';
import { countRetries } from '../limits/retries.ts';
import { Problem, type FieldFault } from '../problem.ts';
import type { SentBody } from '../sent-body.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { createdOnce, withoutKey, type Once } from '../endpoint/idempotency.store.ts';
import { textOf } from '../endpoint/list-chunks.ts';
import { readOnlyFaults } from '../endpoint/read-only-fields.ts';
import { notYours } from '../resources/resources.store.ts';
import type { Stores } from '../stores.ts';

export type SwarmUseCases = ReturnType<typeof createSwarmUseCases>;

export function createSwarmUseCases({
  resources,
  swarms,
  newId,
}: Pick<Stores, 'resources' | 'swarms'> & { newId: () => string }) {
  /** The faults of members that are not the user's resources. `owned`: those that are, with the time of their creation. */
  async function findForeign({ fields: { resources: members } }: SentBody<SwarmCreate>, userId: string) {
    const list = Array.isArray(members) && members.length <= limits.membersAtOnce ? members : [];
    const ids = list.map((member: { resource_id?: unknown } | null) => member?.resource_id);
    const owned = await resources.owned({ ids: ids.filter((id) => typeof id === 'string'), userId });
    const isForeign = (id: unknown) => typeof id === 'string' && !owned.has(id);
    const faults = ids.flatMap((id, index) => (isForeign(id) ? [notYours(`/resources/${index}/resource_id`)] : []));
    return { faults, owned };
  }

  /** Includes the members only if their number is equal, because there may be very many. */
  async function comparable(swarm: SwarmRow, sent: { fields: SentBody<SwarmUpdate>['fields']; requester: Requester }) {
    const { fields, requester } = sent;
    const { resources: members } = fields;
    const isPossible = Array.isArray(members) && members.length <= limits.membersAtOnce;
    const whole = isPossible && members.length === (await swarms.memberCount(swarm.id));
    return whole ? (JSON.parse(await textOf(swarms.whole(swarm, { requester }))) as Swarm) : swarm;
  }

  return {
    async createSwarm(request: {
      userId: string;
      sentBody: SentBody<SwarmCreate>;
      once?: Once;
    }): Promise<ExtendedSwarm> {
      const { userId, sentBody, once = withoutKey } = request;
      // The resources of a valid body are checked for its first request only: later they may be gone.
      const body = sentBody.check(sentBody.isValid ? [] : (await findForeign(sentBody, userId)).faults);
      /** When its resources were created: unknown for a repeated request. It changes only the order of the members. */
      let resourcesCreated: ReadonlyMap<string, string> | undefined;
      const { id, at } = await createdOnce(once, sentBody, async (claim) => {
        // Checked again if one of the resources is deleted between the check and the write.
        for (const retry = countRetries(); ; retry()) {
          const { faults, owned } = await findForeign(sentBody, userId);
          sentBody.check(faults);
          resourcesCreated = owned;
          const written = await swarms.create({ id: newId(), userId, body, claim });
          if (written === 'no user') throw new Problem('key.invalid');
          if (written !== 'no resource') return written;
        }
      });
      return swarms.newSwarm({ id, userId, body, at, resourcesCreated });
    },

    async updateSwarm(request: {
      requester: Requester;
      id: string;
      sentBody: SentBody<SwarmUpdate>;
      versionOf?: (found: SwarmRow) => number | undefined;
    }): Promise<SwarmRow> {
      const { requester, id, sentBody, versionOf } = request;
      const { user: userId } = requester;
      for (const retry = countRetries(); ; retry()) {
        const { swarm } = await swarms.require({ userId, id, operation: 'updateSwarm' });
        const stored = await comparable(swarm, { fields: sentBody.fields, requester });
        const faults = readOnlyFaults('swarm', sentBody, stored);
        const change = sentBody.check([...faults, ...listedFaults(swarm, sentBody)]);
        const version = versionOf?.(swarm);
        const written = await swarms.update({ swarm, actor: userId, change, version });
        if (written) return written;
      }
    },

    async destroySwarm(request: { userId: string; id: string; versionOf?: (found: SwarmRow) => number | undefined }) {
      const { userId, id, versionOf } = request;
      for (const retry = countRetries(); ; retry()) {
        const { swarm } = await swarms.require({ userId, id, operation: 'destroySwarm' });
        if (await swarms.destroy({ id, userId, version: versionOf?.(swarm) })) return;
      }
    },
  };
}

/** Only a public swarm can be listed. A body that is read and put back has `listed` only if the swarm is public. */
function listedFaults(swarm: SwarmRow, { fields }: SentBody<SwarmUpdate>): FieldFault[] {
  const isPublic = fields['public'] ?? swarm.public === 1;
  const isFault = fields['listed'] === true && isPublic === false;
  return isFault ? [{ pointer: '/listed', code: 'field.not_allowed', detail: 'is only for a public swarm' }] : [];
}
