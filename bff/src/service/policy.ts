/**
 * Who may do what, as data. Every operation of the service has a row; registering one without fails.
 * The authorisation table of the tests holds it.
 */

/** What the caller is to a resource. `stranger` also stands for "there is no such resource". */
export type ResourceRelation = 'owner' | 'swarm_owner' | 'member' | 'stranger';
/** What the caller is to a swarm; `recipient`: invited to it, whatever became of that; `public`: anyone, where it is public. */
export type SwarmRelation = 'owner' | 'member' | 'recipient' | 'public' | 'stranger';
/** `hide` answers 404, as if there were nothing; `forbid` answers 403; `summary` allows, without the members. */
export type Verdict = 'allow' | 'summary' | 'forbid' | 'hide';

export type ResourceRule = Record<ResourceRelation, Verdict>;
export type SwarmRule = Record<SwarmRelation, Verdict>;
/** Acts on the caller's own account alone. */
const anyKey = 'any key';

const resourceOwner: ResourceRule = {
  owner: 'allow',
  swarm_owner: 'forbid',
  member: 'forbid',
  stranger: 'hide',
};
const whoeverSharesASwarm: ResourceRule = { ...resourceOwner, swarm_owner: 'allow', member: 'allow' };
const swarmOwner: SwarmRule = {
  owner: 'allow',
  member: 'forbid',
  recipient: 'forbid',
  public: 'forbid',
  stranger: 'hide',
};
/** A member of it may also be the owner of the resource in question: the operation looks at that itself. */
const members: SwarmRule = { ...swarmOwner, member: 'allow' };
const whoeverKnowsIt: SwarmRule = { ...members, recipient: 'summary', public: 'summary' };

export const policy = {
  createResource: anyKey,
  listResources: anyKey,
  exportResources: anyKey,
  getResource: whoeverSharesASwarm,
  updateResource: resourceOwner,
  destroyResource: resourceOwner,
  listSwarmsOfResource: resourceOwner,

  createSwarm: anyKey,
  listSwarms: anyKey,
  getSwarm: whoeverKnowsIt,
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

  streamEvents: anyKey,

  listActivity: anyKey,
  markActivityRead: anyKey,
} as const satisfies Record<string, ResourceRule | SwarmRule | typeof anyKey>;

export type Operation = keyof typeof policy;
