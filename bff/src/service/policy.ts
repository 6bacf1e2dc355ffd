/**
 * The access policy as a table. Every operation of the service needs a row; registering one without a row fails.
 * authorisation.test.ts checks it.
 */

/** The caller's relation to a resource. `stranger` also if the resource does not exist. */
export type ResourceRelation = 'owner' | 'swarm_owner' | 'member' | 'stranger';
/**
 * The caller's relation to a swarm. `recipient`: has an open invitation to it; `public`: any user, if the swarm is
 * public. A user who rejected an invitation, left or was removed is a stranger.
 */
export type SwarmRelation = 'owner' | 'member' | 'recipient' | 'public' | 'stranger';
/** `hide` responds 404, `forbid` responds 403, and `summary` allows the operation without the members. */
export type Verdict = 'allow' | 'summary' | 'forbid' | 'hide';

export type ResourceRule = Record<ResourceRelation, Verdict>;
export type SwarmRule = Record<SwarmRelation, Verdict>;
/** Operations on the caller's own account. */
const anyKey = 'any key';
/** For any user who has the code of a link that can be used. It allows nothing else. */
const linkHolder = 'link holder';

const resourceOwner: ResourceRule = {
  owner: 'allow',
  swarm_owner: 'forbid',
  member: 'forbid',
  stranger: 'hide',
};
const ownersAndFellowMembers: ResourceRule = { ...resourceOwner, swarm_owner: 'allow', member: 'allow' };
const swarmOwner: SwarmRule = {
  owner: 'allow',
  member: 'forbid',
  recipient: 'forbid',
  public: 'forbid',
  stranger: 'hide',
};
/** The operation itself checks whether a member owns the resource. */
const members: SwarmRule = { ...swarmOwner, member: 'allow' };
const allWithAccess: SwarmRule = { ...members, recipient: 'summary', public: 'summary' };

export const policy = {
  createResource: anyKey,
  listResources: anyKey,
  exportResources: anyKey,
  getResource: ownersAndFellowMembers,
  updateResource: resourceOwner,
  destroyResource: resourceOwner,
  listSwarmsOfResource: resourceOwner,

  createSwarm: anyKey,
  listSwarms: anyKey,
  getSwarm: allWithAccess,
  updateSwarm: swarmOwner,
  destroySwarm: swarmOwner,
  addMember: swarmOwner,
  listMembers: members,
  updateMember: members,
  removeMember: members,

  sendInvitation: swarmOwner,
  listSentInvitations: swarmOwner,
  withdrawInvitation: swarmOwner,
  answerInvitation: resourceOwner,
  listInvitationsOfResource: resourceOwner,
  listInvitations: anyKey,

  createJoinLink: swarmOwner,
  listJoinLinks: swarmOwner,
  endJoinLink: swarmOwner,
  openJoinLink: linkHolder,
  joinByLink: linkHolder,

  streamEvents: anyKey,

  listActivity: anyKey,
  markActivityRead: anyKey,
} as const satisfies Record<string, ResourceRule | SwarmRule | typeof anyKey | typeof linkHolder>;

export type Operation = keyof typeof policy;
/** The operations with a rule of this kind. */
export type OperationOn<Rule> = { [O in Operation]: (typeof policy)[O] extends Rule ? O : never }[Operation];
