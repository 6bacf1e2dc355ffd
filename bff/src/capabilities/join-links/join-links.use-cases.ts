/** What users do to links and with them. See `use-cases.ts`. */
import type { JoinLink, JoinLinkCreate, JoinOffer, JoinPreview, SwarmMember, SwarmSummary } from '../../contract.ts';
import type { SentBody } from '../../core/sent-body.ts';
import { Problem } from '../../core/problem.ts';
import { linkLimits } from './limits.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { createdOnce, withoutKey, type Once } from '../../core/endpoint/idempotency.store.ts';
import { missingRoles } from '../../core/members/member-roles.ts';
import { endFaults } from '../../core/members/consent-ends.ts';
import { notYours } from '../../core/resources/resources.store.ts';
import type { Stores } from '../../core/stores.ts';
import type { JoinLinks } from './join-links.store.ts';

export type JoinLinkUseCases = ReturnType<typeof createJoinLinkUseCases>;

export function createJoinLinkUseCases({
  swarms,
  members,
  invitations,
  links,
  now,
  newId,
}: Pick<Stores, 'swarms' | 'members' | 'invitations'> & { links: JoinLinks; now: () => Date; newId: () => string }) {
  /** A forged code, one of a link that cannot be used, and a user whom the swarm blocks are the same problem. */
  async function requireOffer(opened: { userId: string; code: string }) {
    const link = await links.ofCode(opened);
    const swarm = link && (await swarms.find(link.swarm_id));
    if (!swarm) throw new Problem('link.not_found');
    return { link, summary: JSON.parse(await swarms.summary(swarm)) as SwarmSummary };
  }

  return {
    async createJoinLink(request: {
      userId: string;
      swarmId: string;
      sentBody: SentBody<JoinLinkCreate>;
      once?: Once;
    }): Promise<JoinLink> {
      const { userId, swarmId, sentBody, once = withoutKey } = request;
      const check = () => swarms.require({ userId, id: swarmId, operation: 'createJoinLink' });
      await check();
      const body = sentBody.check();
      const { id, at } = await createdOnce(once, sentBody, async (claim) => {
        const { expires_at } = body;
        if (expires_at !== undefined && expires_at <= now().toISOString()) {
          throw new Problem('body.invalid', { errors: [notInFuture] });
        }
        const id = newId();
        for (const retry = countRetries(); ; retry()) {
          const created = await links.create({ id, swarmId, userId, body, claim });
          if (created === 'too many') throw new Problem('link.too_many', { detail: tooManyLinks });
          if (created !== 'not allowed') return created;
          await check();
        }
      });
      return links.newLink({ id, swarmId, body, at });
    },

    /** Repeated, it changes nothing. */
    async endJoinLink({ userId, swarmId, id }: { userId: string; swarmId: string; id: string }) {
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId, id: swarmId, operation: 'endJoinLink' });
        const ended = await links.end({ id, swarmId, userId });
        if (ended === 'no link') throw new Problem('link.not_found');
        if (ended === true) return;
      }
    },

    async openJoinLink({ userId, code }: { userId: string; code: string }): Promise<JoinOffer> {
      const { link, summary } = await requireOffer({ userId, code });
      const { id, resource_type, expires_at, max_resources, joined } = link;
      return {
        id,
        pass: links.passOf({ id, userId }),
        resource_type,
        ...(expires_at !== null && { expires_at }),
        ...(max_resources !== null && { resources_left: max_resources - joined }),
        swarm: summary,
      };
    },

    /** Returns what the swarm is, but nothing to join with. The visitor has not signed in. */
    async previewJoinLink(code: string): Promise<JoinPreview> {
      const { link, summary } = await requireOffer({ userId: '', code });
      const { name, user_id, description, public: isPublic, member_count } = summary;
      return {
        resource_type: link.resource_type,
        swarm: { name, user_id, description, public: isPublic, member_count },
      };
    },

    /** The resource joins as if the swarm's owner had invited it. Returns the member with the role that it has now. */
    async joinByLink(request: {
      userId: string;
      linkId: string;
      sentBody: SentBody<{
        pass: string;
        resource_id: string;
        ends_at?: string | undefined;
        shown_by_links?: boolean | undefined;
      }>;
      once?: Once;
    }): Promise<{ swarmId: string; member: SwarmMember }> {
      const { userId, linkId, sentBody, once = withoutKey } = request;
      const body = sentBody.check();
      const { pass, resource_id: resourceId, ends_at: endsAt, shown_by_links: isShown } = body;
      sentBody.check(endFaults(body, { now: now() }));
      const link = await links.ofPass({ id: linkId, userId, pass, resourceId });
      if (!link) throw new Problem('link.not_found');
      const { swarm_id: swarmId } = link;
      const ownerNow = async () => {
        const swarm = await swarms.find(swarmId);
        if (!swarm) throw new Problem('link.not_found');
        if (swarm.user_id === userId) throw new Problem('link.own_swarm');
        return swarm.user_id;
      };
      let from = await ownerNow();
      const role = await once(sentBody, async (claim) => {
        for (const retry = countRetries(); ; retry()) {
          const { member, roles } = await missingRoles({
            members,
            invitations,
            newId,
            swarmId,
            resourceId,
            role: link.resource_type,
          });
          if (member?.user_id === userId && roles.length === 0) throw new Problem('membership.exists');
          if (member?.user_id === userId) sentBody.check(endFaults(body, { now: now(), most: member.ends_at_most }));
          const conditions = [links.takePlace({ id: linkId, resourceId, userId })];
          const joining = { swarmId, from, to: userId, resourceId, roles, sentBy: null };
          const joined = await invitations.join({ ...joining, linkId, conditions, endsAt, isShown, claim });
          if (joined === 'no link') throw new Problem('link.not_found');
          if (joined === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
          if (joined === 'no swarm') from = await ownerNow();
          // If the resource has not joined, an invitation was sent or answered meanwhile, and the next turn begins.
          if (typeof joined === 'object') return joined.role;
        }
      });
      return { swarmId, member: await members.joined({ swarmId, resourceId, role, userId }) };
    },
  };
}

const notInFuture = { pointer: '/expires_at', code: 'field.out_of_range', detail: 'must be in the future' };
const tooManyLinks = `A swarm can have up to ${linkLimits.open} links that have not ended. End some first.`;
