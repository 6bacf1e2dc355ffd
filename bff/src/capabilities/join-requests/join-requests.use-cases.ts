/** What users do to requests to join. See `use-cases.ts`. */
import type { BlockedUser, JoinRequest, JoinRequestSend } from '../../contract.ts';
import type { SentBody } from '../../core/sent-body.ts';
import { Problem } from '../../core/problem.ts';
import { requestLimits } from './limits.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { withoutKey, type Once } from '../../core/endpoint/idempotency.store.ts';
import { endFaults, isOver } from '../../core/members/consent-ends.ts';
import { missingRoles } from '../../core/members/member-roles.ts';
import { notYours } from '../../core/resources/resources.store.ts';
import type { Stores } from '../../core/stores.ts';
import type { JoinRequests } from './join-requests.store.ts';

export type JoinRequestUseCases = ReturnType<typeof createJoinRequestUseCases>;

export function createJoinRequestUseCases({
  resources,
  swarms,
  members,
  invitations,
  requests,
  now,
  newId,
}: Pick<Stores, 'resources' | 'swarms' | 'members' | 'invitations'> & {
  requests: JoinRequests;
  now: () => Date;
  newId: () => string;
}) {
  /** The request, if the user may answer those of its swarm. Without `swarmId`, it is that of the request. */
  async function receivedRequest({ userId, id, swarmId }: { userId: string; id: string; swarmId?: string }) {
    // The request is read before the swarm, because the deletion of a swarm also deletes its requests.
    const found = await requests.find(id);
    const asked = swarmId ?? found?.swarm_id;
    const swarm =
      asked === undefined ? undefined : await swarms.require({ userId, id: asked, operation: 'answerJoinRequest' });
    if (!found || !swarm || found.swarm_id !== asked) throw new Problem('join_request.not_found');
    return { found, swarm: swarm.swarm };
  }

  return {
    async askToJoin(request: {
      userId: string;
      swarmId: string;
      sentBody: SentBody<JoinRequestSend>;
      once?: Once;
    }): Promise<JoinRequest> {
      const { userId, swarmId, sentBody, once = withoutKey } = request;
      const { swarm } = await swarms.require({ userId, id: swarmId, operation: 'askToJoin' });
      const body = sentBody.check();
      const { message, shown_by_links: isShown, ...device } = sentBody.check(endFaults(body, { now: now() }));
      const text = await once(sentBody, async (claim) => {
        const resource = (await resources.find(device.resource_id))?.record;
        if (resource?.user_id !== userId) throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        const made: JoinRequest = {
          id: newId(),
          swarm_id: swarmId,
          swarm_name: swarm.name,
          user_id: userId,
          ...device,
          resource_name: resource.name,
          machine_type: resource.machine_type,
          asked_at: now().toISOString(),
          status: 'new',
        };
        const stored = JSON.stringify([made]);
        const asked = { ...made, ...(message !== undefined && { message }) };
        const written = await requests.send({ request: asked, isShown, stored, claim });
        if (written === 'no resource') throw new Problem('body.invalid', { errors: [notYours('/resource_id')] });
        if (written !== 'sent') throw notSent[written]();
        return stored;
      });
      const [made] = JSON.parse(text) as [JoinRequest];
      return { ...made, ...(message !== undefined && { message }) };
    },

    /**
     * Accepting makes the resource a member, as if it had been invited and its owner had accepted. Repeated with the same
     * answer, it changes nothing.
     */
    async answerJoinRequest(request: {
      userId: string;
      id: string;
      swarmId?: string;
      sentBody: SentBody<{ status: 'accept' | 'reject' }>;
    }): Promise<JoinRequest> {
      const { userId: actor, id, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        const { found, swarm } = await receivedRequest({ ...request, userId: actor });
        const { status } = sentBody.check();
        const state = status === 'accept' ? 'accepted' : 'rejected';
        if (found.status === state) return found;
        if (found.status !== 'new') throw new Problem('join_request.already_answered');
        if (status === 'reject') {
          await requests.reject({ id, swarmId: found.swarm_id, actor });
          continue;
        }
        const { ends_at: endsAt } = found;
        if (isOver(endsAt, now())) throw new Problem('join_request.ended');
        const { swarm_id: swarmId, resource_id: resourceId, user_id: to, resource_type: role } = found;
        const { roles } = await missingRoles({ members, invitations, newId, swarmId, resourceId, role });
        const isShown = await requests.isShown(id);
        const conditions = requests.accepting({ id, swarmId, actor });
        const joining = {
          conditions,
          sentBy: actor,
          swarmId,
          from: swarm.user_id,
          to,
          resourceId,
          roles,
          endsAt,
          isShown,
          claim: () => [],
        };
        // If it has not joined, something has changed meanwhile, and the next turn finds out what.
        await invitations.join(joining);
      }
    },

    /** Only the user who has sent it may withdraw it. */
    async withdrawJoinRequest({ userId, id }: { userId: string; id: string }) {
      for (const retry = countRetries(); ; retry()) {
        const found = await requests.find(id);
        if (found?.user_id !== userId) throw new Problem('join_request.not_found');
        if (found.status !== 'new') throw new Problem('join_request.already_answered');
        if (await requests.withdraw({ id, actor: userId })) return;
      }
    },

    async listBlockedUsers({ userId, swarmId }: { userId: string; swarmId: string }): Promise<BlockedUser[]> {
      await swarms.require({ userId, id: swarmId, operation: 'listBlockedUsers' });
      return requests.blocked(swarmId);
    },

    /** The user may not ask to join this swarm any more. Open requests are rejected. Repeated, it changes nothing. */
    async blockUser({ userId: actor, swarmId, blocked }: { userId: string; swarmId: string; blocked: string }) {
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId: actor, id: swarmId, operation: 'blockUser' });
        const failed = await requests.block({ swarmId, userId: blocked, actor });
        if (failed === 'no request') throw new Problem('join_request.not_found');
        if (failed === 'too many') throw new Problem('join_request.too_many', { detail: tooManyBlocked });
        if (failed === undefined) return;
      }
    },

    /** Repeated, it changes nothing. */
    async unblockUser({ userId: actor, swarmId, blocked }: { userId: string; swarmId: string; blocked: string }) {
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId: actor, id: swarmId, operation: 'unblockUser' });
        if (await requests.unblock({ swarmId, userId: blocked, actor })) return;
      }
    },
  };
}

const tooMany = (detail: string) => () => new Problem('join_request.too_many', { detail });
const notSent = {
  'no user': () => new Problem('key.invalid'),
  'not accepted': () => new Problem('join_request.not_accepted'),
  'has role': () => new Problem('membership.exists'),
  exists: () => new Problem('join_request.exists'),
  'too soon': () => new Problem('join_request.too_soon'),
  'too many open': tooMany(`An account can have up to ${requestLimits.open} open requests. Take some back first.`),
  'too many in swarm': tooMany('This swarm has too many open requests. Try again later.'),
  'too many today': tooMany(
    `An account can send up to ${requestLimits.aDayToSwarm} requests to a swarm in a day, and ${requestLimits.aDay} in all.`,
  ),
};
const tooManyBlocked = `A swarm can block up to ${requestLimits.blocked} users. Unblock some first.`;
