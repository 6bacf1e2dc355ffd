/**
 * The access policy as a table. Every operation of the service needs a row; registering one without a row fails.
 * authorisation.test.ts checks it.
 */

/** The caller's relation to a resource. `stranger` also if the resource does not exist. */
export type ResourceRelation = 'owner' | 'swarm_owner' | 'member' | 'stranger';
/**
 * The caller's relation to a swarm. `manager`: looks after it for its owner. `watcher`: sees what members see, and
 * may have own resources in it. `recipient`: has an open invitation to it, or was asked to manage or watch it. `public`: any user, if the swarm is public. A user who rejected an invitation, left or was
 * removed is a stranger.
 */
export type SwarmRelation = 'owner' | 'manager' | 'watcher' | 'member' | 'recipient' | 'public' | 'stranger';
/**
 * `hide` responds 404, `forbid` responds 403, `summary` allows the operation without the members, and `own` only for what is
 * the caller's: a member's resource, or the caller as a manager.
 */
type Verdict = 'allow' | 'own' | 'summary' | 'forbid' | 'hide';

export type ResourceRule = Record<ResourceRelation, Verdict>;
export type SwarmRule = Record<SwarmRelation, Verdict>;
/** Operations on the caller's own account. */
const anyKey = 'any key';
/** The operation is only for the key of a device, about this device. */
export const deviceKey = 'device key';
/** The operation is for any user who has the code of a link that can be used. */
const linkHolder = 'link holder';

const resourceOwner: ResourceRule = {
  owner: 'allow',
  swarm_owner: 'forbid',
  member: 'forbid',
  stranger: 'hide',
};
const ownersAndFellowMembers: ResourceRule = { ...resourceOwner, swarm_owner: 'allow', member: 'allow' };
/** The rule is the same for everybody who may know the swarm. */
const sameForAll = (verdict: Verdict): SwarmRule => ({
  owner: verdict,
  manager: verdict,
  watcher: verdict,
  member: verdict,
  recipient: verdict,
  public: verdict,
  stranger: 'hide',
});
const swarmOwner: SwarmRule = { ...sameForAll('forbid'), owner: 'allow' };
const managers: SwarmRule = { ...swarmOwner, manager: 'allow' };
const managersAndWatchers: SwarmRule = { ...managers, watcher: 'allow' };
const managersAndOwn: SwarmRule = { ...managers, watcher: 'own', member: 'own' };
/** The operation itself checks whether a member owns a consumer. */
const members: SwarmRule = { ...managers, watcher: 'allow', member: 'allow' };
/** The owner adds own resources directly. The operation itself checks whether the swarm is public. */
const allButOwner: SwarmRule = { ...sameForAll('allow'), owner: 'forbid' };
const allWithAccess: SwarmRule = { ...members, recipient: 'summary', public: 'summary' };
const aboutCaller = sameForAll('own');

export const policy = {
  createResource: anyKey,
  listResources: anyKey,
  exportResources: anyKey,
  getResource: ownersAndFellowMembers,
  updateResource: resourceOwner,
  destroyResource: resourceOwner,
  listSwarmsOfResource: resourceOwner,
  getTrack: ownersAndFellowMembers,
  getValues: ownersAndFellowMembers,
  getRefusals: resourceOwner,
  getResourceAudience: ownersAndFellowMembers,

  offerResource: resourceOwner,
  readHandover: resourceOwner,
  // They only find an offer of the caller, or to the caller.
  endResourceOffer: anyKey,
  takeOverResource: anyKey,

  createShareLink: resourceOwner,
  listShareLinks: resourceOwner,
  updateShareLink: resourceOwner,
  endShareLink: resourceOwner,

  createSwarm: anyKey,
  listSwarms: anyKey,
  listDirectory: anyKey,
  getSwarm: allWithAccess,
  getSwarmAudience: members,
  updateSwarm: swarmOwner,
  destroySwarm: swarmOwner,
  getSilenceNotices: managersAndWatchers,
  setSilenceNotices: managersAndWatchers,
  addMember: swarmOwner,
  listMembers: members,
  updateMember: managersAndOwn,
  removeMember: managersAndOwn,

  sendInvitation: managers,
  listSentInvitations: managers,
  withdrawInvitation: managers,
  answerInvitation: resourceOwner,
  listInvitationsOfResource: resourceOwner,
  listInvitations: anyKey,

  createJoinLink: managers,
  listJoinLinks: managers,
  endJoinLink: managers,
  openJoinLink: linkHolder,
  joinByLink: linkHolder,

  nameManager: swarmOwner,
  listManagers: managers,
  agreeToManage: aboutCaller,
  setWatcherEnd: { ...aboutCaller, owner: 'allow' },
  removeManager: { ...aboutCaller, owner: 'allow' },
  listOffers: anyKey,
  offerSwarm: swarmOwner,
  endSwarmOffer: { ...managers, manager: 'own' },
  takeOverSwarm: managers,

  askToJoin: allButOwner,
  listJoinRequests: managers,
  answerJoinRequest: managers,
  listOwnJoinRequests: anyKey,
  withdrawJoinRequest: anyKey,
  listBlockedUsers: managers,
  blockUser: managers,
  unblockUser: managers,

  sendMessage: resourceOwner,
  receiveMessages: resourceOwner,
  sendHeartbeat: resourceOwner,
  listSentMessages: resourceOwner,
  listMessages: members,
  exportMessages: members,
  getSwarmValues: members,

  reportOwnTracks: deviceKey,

  streamEvents: anyKey,

  listActivity: anyKey,
  markActivityRead: anyKey,
} as const satisfies Record<string, ResourceRule | SwarmRule | typeof anyKey | typeof deviceKey | typeof linkHolder>;

export type Operation = keyof typeof policy;
/** What the key of a device may do, only with its own device. */
export const ofDevice: ReadonlySet<Operation> = new Set<Operation>([
  'getResource',
  'updateResource',
  'listSwarmsOfResource',
  'sendMessage',
  'receiveMessages',
  'sendHeartbeat',
  'getRefusals',
]);
/** What a session may do only after its user has shown again that it is them: it gives a record away. A key is not asked. */
export const confirmed: ReadonlySet<Operation> = new Set<Operation>(['offerResource', 'offerSwarm']);
/** The operations with a rule of this kind. */
export type OperationOn<Rule> = { [O in Operation]: (typeof policy)[O] extends Rule ? O : never }[Operation];

/** What the rule says of this relation. `isOwn`: it is about what is the caller's. */
export function verdictOf(check: {
  rule: SwarmRule;
  relation: SwarmRelation;
  isOwn: boolean;
}): Exclude<Verdict, 'own'> {
  const { rule, relation, isOwn } = check;
  const verdict = rule[relation];
  if (verdict !== 'own') return verdict;
  return isOwn ? 'allow' : 'forbid';
}
