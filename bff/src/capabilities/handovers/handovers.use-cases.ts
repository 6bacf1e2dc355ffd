/** What the owner of a device and the user to whom it is offered do. See `use-cases.ts`. */
import type { Handover, HandoverCreate } from '../../contract.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { handoverLimits } from './limits.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { Problem } from '../../core/problem.ts';
import type { SentBody } from '../../core/sent-body.ts';
import type { Stores } from '../../core/stores.ts';
import { handoverOf, type Handovers } from './handovers.store.ts';

export type HandoverUseCases = ReturnType<typeof createHandoverUseCases>;

interface OfResource {
  userId: string;
  resourceId: string;
}

export function createHandoverUseCases({
  resources,
  handovers,
  rates,
}: Pick<Stores, 'resources'> & { handovers: Handovers; rates: Pick<Rates, 'managers'> }) {
  const find = (id: string) => (idFormat.test(id) ? handovers.find(id) : undefined);

  return {
    /** Offering it again in the same way changes nothing. The result does not reveal whether the user exists. */
    async offerResource(request: OfResource & { sentBody: SentBody<HandoverCreate> }): Promise<Handover> {
      const { userId: owner, resourceId, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        await resources.require({ userId: owner, id: resourceId, operation: 'offerResource' });
        const { user_id: userId, with_history: withHistory = false } = sentBody.check();
        if (userId === owner) throw new Problem('handover.own_resource');
        const offer = await handovers.find(resourceId);
        if (offer?.to_user === userId && offer.with_history === Number(withHistory)) return handoverOf(offer);
        requireTokens(rates.managers, owner);
        const failed = await handovers.offer({ resourceId, owner, userId, withHistory });
        if (failed === 'no user') throw new Problem('key.invalid');
        if (failed === 'too many') throw new Problem('handover.too_many', { detail: tooMany });
        if (failed === 'too many unanswered') throw new Problem('handover.too_many', { detail: tooManyToOne });
      }
    },

    /** Undefined if it is not offered. */
    async readHandover({ userId, resourceId }: OfResource): Promise<Handover | undefined> {
      await resources.require({ userId, id: resourceId, operation: 'readHandover' });
      const offer = await handovers.find(resourceId);
      return offer && handoverOf(offer);
    },

    /** The owner withdraws the offer, or the user to whom the device is offered declines it. */
    async endResourceOffer({ userId, resourceId }: OfResource): Promise<void> {
      for (const retry = countRetries(); ; retry()) {
        const offer = await find(resourceId);
        if (!offer || (offer.user_id !== userId && offer.to_user !== userId)) throw new Problem('handover.not_found');
        if (await handovers.end({ offer, actor: userId })) return;
      }
    },

    /** Repeated, it changes nothing. */
    async takeOverResource(request: OfResource & { sentBody: SentBody<{ user_id: string }> }): Promise<void> {
      const { userId, resourceId, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        const offer = await find(resourceId);
        const isOffered = offer?.to_user === userId;
        if (!isOffered && (await ownerOf(resourceId)) !== userId) throw new Problem('handover.not_found');
        if (sentBody.check().user_id !== userId) throw new Problem('resource.forbidden');
        if (!isOffered || (await handovers.takeOver(offer))) return;
      }
    },
  };

  async function ownerOf(id: string): Promise<string | undefined> {
    return idFormat.test(id) ? (await resources.find(id))?.record.user_id : undefined;
  }
}

const tooMany = `An account can offer up to ${handoverLimits.ofUser} resources. Withdraw some offers first.`;
const tooManyToOne = `You can offer up to ${handoverLimits.toUser} resources to the same user. Withdraw some offers first.`;
