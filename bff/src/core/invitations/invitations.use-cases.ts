/** What users do to invitations. See `use-cases.ts`. */
import type { Invitation, InvitationSend, MemberRole } from '../../contract.ts';
import { idFormat } from '../limits/field-rules.ts';
import { countRetries } from '../limits/retries.ts';
import { validBody, type SentBody } from '../sent-body.ts';
import { Problem } from '../problem.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { createdOnce, withoutKey, type Claim, type CreatedRecord, type Once } from '../endpoint/idempotency.store.ts';
import { earlierEnd, endFaults, isOver } from '../members/consent-ends.ts';
import { covers, rolesOf } from '../members/member-roles.ts';
import type { OperationOn } from '../endpoint/policy.ts';
import type { SwarmRule } from '../endpoint/rules.ts';
import { readOnlyFaults } from '../endpoint/read-only-fields.ts';
import type { Stores } from '../stores.ts';

/** An invitation for one role, or for both. */
type RolesSend<Role = MemberRole> = Omit<InvitationSend, 'resource_type'> & { resource_type: Role };

/** An answer, and with which terms an invitation is accepted. */
interface InvitationTerms {
  status: 'accept' | 'reject';
  ends_at?: string | undefined;
  shown_by_links?: boolean | undefined;
}

export type InvitationUseCases = ReturnType<typeof createInvitationUseCases>;

type Deps = Pick<Stores, 'resources' | 'swarms' | 'members' | 'invitations'> & {
  now: () => Date;
  newId: () => string;
};

export function createInvitationUseCases(deps: Deps) {
  return {
    sendInvitation: <Role extends MemberRole>(request: SentInvitation<Role>) => sendInvitation(deps, request),
    offerLaterEnd: (request: LaterEndOffer) => offerLaterEnd(deps, request),
    resendInvitation: (request: { userId: string; id: string; isPair: boolean }) => resendInvitation(deps, request),
    answerInvitation: (request: InvitationAnswer) => answerInvitation(deps, request),
    withdrawInvitation: (request: WithdrawnInvitation) => withdrawInvitation(deps, request),
  };
}

interface SentInvitation<Role extends MemberRole> {
  userId: string;
  swarmId: string;
  sentBody: SentBody<RolesSend<Role>>;
  once?: Once;
}

async function sendInvitation<Role extends MemberRole>(
  deps: Deps,
  request: SentInvitation<Role>,
): Promise<Omit<Invitation, 'resource_type'> & { resource_type: Role }> {
  const { swarms, now } = deps;
  const { userId, swarmId: swarm_id, sentBody, once = withoutKey } = request;
  const check = async () => {
    const { swarm } = await swarms.require({ userId, id: swarm_id, operation: 'sendInvitation' });
    const from = swarm.user_id;
    const faults = sentBody.fields['to'] !== from ? [] : from === userId ? [toYourself] : [toOwner];
    const body = sentBody.check(faults);
    return { swarm, body: sentBody.check(endFaults(body, { now: now() })) };
  };
  let checked = await check();
  const { id, at: sent_at } = await createdOnce(once, sentBody, async (claim) => {
    for (const retry = countRetries(); ; retry()) {
      const done = await send(deps, { ...checked, userId, claim });
      if (done !== undefined) return done;
      checked = await check();
    }
  });
  const { swarm, body } = checked;
  const { to, resource_id, resource_type, description, ends_at } = body;
  // A manager's invitation is the owner's.
  const from = swarm.user_id;
  return {
    id,
    from,
    to,
    swarm_id,
    resource_id,
    resource_type,
    ...(description !== undefined && { description }),
    ...(userId !== from && { sent_by: userId }),
    ...(ends_at !== undefined && { ends_at }),
    sent_at,
    status: 'new',
  };
}

interface LaterEndOffer {
  userId: string;
  swarmId: string;
  id: string;
  endsAt: string;
}

/** Offers the owner of a member with an end a later one: an invitation for a role that it has. */
async function offerLaterEnd(deps: Deps, { userId, swarmId, id, endsAt: ends_at }: LaterEndOffer): Promise<void> {
  const { swarms, members } = deps;
  await swarms.require({ userId, id: swarmId, operation: 'sendInvitation' });
  const member = idFormat.test(id) ? await members.find({ id: swarmId, resourceId: id }) : undefined;
  if (!member) throw new Problem('membership.not_found');
  const [resource_type] = rolesOf(member.resource_type);
  const body = { to: member.user_id, resource_id: id, resource_type: resource_type!, ends_at };
  await sendInvitation(deps, { userId, swarmId, sentBody: validBody(body) });
}

/** Sends an invitation of any state again. `isPair`: for both roles. */
async function resendInvitation(
  deps: Deps,
  { userId, id, isPair }: { userId: string; id: string; isPair: boolean },
): Promise<void> {
  const { swarms, invitations, now } = deps;
  for (const retry = countRetries(); ; retry()) {
    const found = await sentInvitation(deps, { userId, id, operation: 'sendInvitation' });
    const { swarm_id, to, resource_id, description, ends_at } = found;
    if (isOver(ends_at, now())) throw new Problem('invitation.ended');
    const { swarm } = await swarms.require({ userId, id: swarm_id, operation: 'sendInvitation' });
    // The recipient owns the swarm since it was handed over.
    if (to === swarm.user_id) throw new Problem('body.invalid', { errors: [to === userId ? toYourself : toOwner] });
    const label = await invitations.labelOf(id);
    const body = {
      to,
      resource_id,
      resource_type: isPair ? ('both' as const) : found.resource_type,
      ...(description !== undefined && { description }),
      ...(label !== null && { label }),
      ...(ends_at !== undefined && { ends_at }),
    };
    if ((await send(deps, { swarm, userId, body, claim: () => [] })) !== undefined) return;
  }
}

interface InvitationAnswer {
  userId: string;
  id: string;
  otherId?: string | undefined;
  resourceId?: string;
  readEnd?: string | undefined;
  sentBody: SentBody<InvitationTerms>;
}

/**
 * Repeated with the same answer, it changes nothing. With `otherId`, it answers two invitations together; if one was
 * answered or withdrawn meanwhile, the one that is left. `readEnd`: the end that was offered when the user read it. It is not
 * accepted for longer than was offered then, or when the request came.
 */
async function answerInvitation(deps: Deps, request: InvitationAnswer): Promise<Invitation> {
  const { invitations, now } = deps;
  const { id, otherId, sentBody } = request;
  let most = request.readEnd;
  for (const retry = countRetries(); ; retry()) {
    const pair = await findPair([id, otherId], (each) => toAnswer(deps, { ...request, id: each }));
    const { status, shown_by_links: isShown } = sentBody.check(readOnlyFaults('invitation', sentBody, pair[0]));
    const state = status === 'accept' ? 'accepted' : 'rejected';
    const [first, ...others] = pair.filter((each) => each.status === 'new');
    const same = pair.find((each) => each.status === state);
    if (!first && same) return same;
    if (!first) throw new Problem('invitation.already_answered');
    most = [first, ...others].map(({ ends_at }) => ends_at).reduce(earlierEnd, most);
    const endsAt = status === 'accept' ? acceptedEnd(most, sentBody, now()) : undefined;
    const answered = await invitations.answer({ answered: [first, ...others], status, endsAt, isShown });
    if (answered) return answered;
  }
}

interface WithdrawnInvitation {
  userId: string;
  id: string;
  /** As for an answer. */
  otherId?: string | undefined;
  swarmId?: string;
}

async function withdrawInvitation(deps: Deps, request: WithdrawnInvitation): Promise<void> {
  const { userId, id, otherId } = request;
  for (const retry = countRetries(); ; retry()) {
    const pair = await findPair([id, otherId], (each) =>
      sentInvitation(deps, { ...request, id: each, operation: 'withdrawInvitation' }),
    );
    const ids = pair.filter(({ status }) => status === 'new').map((each) => each.id);
    if (ids.length === 0) throw new Problem('invitation.already_answered');
    if (await deps.invitations.withdraw({ ids, swarmId: pair[0].swarm_id, actor: userId })) return;
  }
}

/** The invitation, if it is for the user's resource. Without `resourceId`, it is that of the invitation. */
async function toAnswer(
  { resources, invitations }: Deps,
  { userId, id, resourceId }: { userId: string; id: string; resourceId?: string },
) {
  // The invitation is read before the resource, because the deletion of a resource first answers its invitations, then deletes it.
  const found = await invitations.find(id);
  const ofResource = resourceId ?? found?.resource_id;
  if (ofResource !== undefined) {
    await resources.require({ userId, id: ofResource, operation: 'answerInvitation' });
  }
  if (!found || found.resource_id !== ofResource) throw new Problem('invitation.not_found');
  return found;
}

/** The invitation, if the user owns or manages its swarm. Without `swarmId`, it is that of the invitation. */
async function sentInvitation(
  { swarms, invitations }: Deps,
  request: { userId: string; id: string; swarmId?: string; operation: OperationOn<SwarmRule> },
): Promise<Invitation> {
  const { userId, id, operation } = request;
  // The invitation is read before the swarm, because the deletion of a swarm also deletes its invitations.
  const found = await invitations.find(id);
  const swarmId = request.swarmId ?? found?.swarm_id;
  if (swarmId !== undefined) await swarms.require({ userId, id: swarmId, operation });
  if (!found || found.swarm_id !== swarmId) throw new Problem('invitation.not_found');
  return found;
}

/**
 * Returns undefined if the swarm or the user's relation to it has changed. For both roles, it sends an
 * invitation for each that the resource does not have, or one that offers a member with both a later end.
 */
async function send(
  { members, invitations, newId }: Deps,
  options: { swarm: SwarmRow; userId: string; body: RolesSend; claim: Claim },
): Promise<CreatedRecord | undefined> {
  const { swarm, userId: actor, body, claim } = options;
  const { id: swarmId, user_id: from } = swarm;
  const { resource_type, resource_id: resourceId } = body;
  for (const retry = countRetries(); ; retry()) {
    const member = resource_type === 'both' ? await members.find({ id: swarmId, resourceId }) : undefined;
    const all = rolesOf(resource_type);
    const missing = all.filter((role) => !member || !covers(member.resource_type, role));
    const roles = (missing.length > 0 ? missing : all.slice(0, 1)).map((role) => ({ role, id: newId() }));
    const result = await invitations.send({ swarmId, from, actor, body, roles, claim });
    if (result === 'no swarm' || result === 'not allowed') return undefined;
    // A resource that was to get two roles has joined meanwhile: the next turn sends what it does not have.
    if (result === 'has role' && roles.length < 2) throw new Problem('membership.exists');
    if (result === 'no resource') throw new Problem('body.invalid', { errors: [notTheirs] });
    if (result !== 'has role') return { id: result.id, at: result.sent_at };
  }
}

/** The end with which an invitation is accepted that is offered until `most`. @throws `invitation.ended`, `body.invalid` */
function acceptedEnd(
  most: string | undefined,
  sentBody: SentBody<{ ends_at?: string | undefined }>,
  at: Date,
): string | undefined {
  if (isOver(most, at)) throw new Problem('invitation.ended');
  const { ends_at } = sentBody.check();
  sentBody.check(endFaults({ ends_at }, { now: at, most }));
  return ends_at ?? most;
}

/** An invitation and the one for the other role: those that still exist. @throws `invitation.not_found` if none does */
async function findPair(
  ids: readonly (string | undefined)[],
  find: (id: string) => Promise<Invitation>,
): Promise<[Invitation, ...Invitation[]]> {
  const [first, ...others] = await findThose(
    ids.filter((id) => id !== undefined),
    find,
  );
  const { swarm_id, resource_id } = first;
  return [first, ...others.filter((other) => other.swarm_id === swarm_id && other.resource_id === resource_id)];
}

/** The invitations that exist. @throws `invitation.not_found` if none does */
async function findThose(
  ids: readonly string[],
  find: (id: string) => Promise<Invitation>,
): Promise<[Invitation, ...Invitation[]]> {
  const found: Invitation[] = [];
  let problem: unknown;
  for (const id of ids) {
    try {
      found.push(await find(id));
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'invitation.not_found')) throw error;
      problem ??= error;
    }
  }
  const [first, ...others] = found;
  if (!first) throw problem;
  return [first, ...others];
}

const toYourself = { pointer: '/to', code: 'invitation.to_yourself', detail: 'is your own user name' };
const toOwner = { pointer: '/to', code: 'invitation.to_owner', detail: 'owns the swarm' };
const notTheirs = { pointer: '/resource_id', code: 'resource.not_theirs', detail: 'is not a resource of that user' };
