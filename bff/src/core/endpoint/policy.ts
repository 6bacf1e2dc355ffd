/**
 * The access policy as a table. Every operation of the service needs a row; registering one without a row fails.
 * `rule`: who may do it. `scope`: that of a key that may do it, besides `all`. `receiveMessages` is none of `read`, because it acts as the
 * device: it takes one of its streams.
 * authorisation.test.ts checks it.
 */
import { keyScopes, type KeyScope } from '../limits/field-rules.ts';
import { Problem } from '../problem.ts';

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
  createResource: { rule: anyKey, scope: 'all' },
  listResources: { rule: anyKey, scope: 'read' },
  exportResources: { rule: anyKey, scope: 'read' },
  getResource: { rule: ownersAndFellowMembers, scope: 'read' },
  updateResource: { rule: resourceOwner, scope: 'position' },
  destroyResource: { rule: resourceOwner, scope: 'all' },
  listSwarmsOfResource: { rule: resourceOwner, scope: 'read' },
  getTrack: { rule: ownersAndFellowMembers, scope: 'read' },
  getValues: { rule: ownersAndFellowMembers, scope: 'read' },
  setValueKeys: { rule: resourceOwner, scope: 'all' },
  getRefusals: { rule: resourceOwner, scope: 'read' },
  getResourceAudience: { rule: ownersAndFellowMembers, scope: 'read' },

  offerResource: { rule: resourceOwner, scope: 'all' },
  readHandover: { rule: resourceOwner, scope: 'read' },
  // No relation is asked: these two find only offers that the caller has made or got.
  endResourceOffer: { rule: anyKey, scope: 'all' },
  takeOverResource: { rule: anyKey, scope: 'all' },

  createShareLink: { rule: resourceOwner, scope: 'all' },
  listShareLinks: { rule: resourceOwner, scope: 'read' },
  updateShareLink: { rule: resourceOwner, scope: 'all' },
  endShareLink: { rule: resourceOwner, scope: 'all' },

  createSwarmShareLink: { rule: swarmOwner, scope: 'all' },
  listSwarmShareLinks: { rule: swarmOwner, scope: 'read' },
  updateSwarmShareLink: { rule: swarmOwner, scope: 'all' },
  endSwarmShareLink: { rule: swarmOwner, scope: 'all' },

  createSwarm: { rule: anyKey, scope: 'all' },
  listSwarms: { rule: anyKey, scope: 'read' },
  listDirectory: { rule: anyKey, scope: 'read' },
  getSwarm: { rule: allWithAccess, scope: 'read' },
  getSwarmAudience: { rule: members, scope: 'read' },
  updateSwarm: { rule: swarmOwner, scope: 'all' },
  destroySwarm: { rule: swarmOwner, scope: 'all' },
  getSilenceNotices: { rule: managersAndWatchers, scope: 'read' },
  setSilenceNotices: { rule: managersAndWatchers, scope: 'all' },
  addMember: { rule: swarmOwner, scope: 'all' },
  listMembers: { rule: members, scope: 'read' },
  updateMember: { rule: managersAndOwn, scope: 'all' },
  removeMember: { rule: managersAndOwn, scope: 'all' },

  sendInvitation: { rule: managers, scope: 'all' },
  listSentInvitations: { rule: managers, scope: 'read' },
  withdrawInvitation: { rule: managers, scope: 'all' },
  answerInvitation: { rule: resourceOwner, scope: 'all' },
  listInvitationsOfResource: { rule: resourceOwner, scope: 'read' },
  listInvitations: { rule: anyKey, scope: 'read' },

  createJoinLink: { rule: managers, scope: 'all' },
  listJoinLinks: { rule: managers, scope: 'read' },
  endJoinLink: { rule: managers, scope: 'all' },
  openJoinLink: { rule: linkHolder, scope: 'read' },
  joinByLink: { rule: linkHolder, scope: 'all' },

  nameManager: { rule: swarmOwner, scope: 'all' },
  listManagers: { rule: managers, scope: 'read' },
  agreeToManage: { rule: aboutCaller, scope: 'all' },
  setWatcherEnd: { rule: { ...aboutCaller, owner: 'allow' }, scope: 'all' },
  removeManager: { rule: { ...aboutCaller, owner: 'allow' }, scope: 'all' },
  listOffers: { rule: anyKey, scope: 'read' },
  offerSwarm: { rule: swarmOwner, scope: 'all' },
  endSwarmOffer: { rule: { ...managers, manager: 'own' }, scope: 'all' },
  takeOverSwarm: { rule: managers, scope: 'all' },

  askToJoin: { rule: allButOwner, scope: 'all' },
  listJoinRequests: { rule: managers, scope: 'read' },
  answerJoinRequest: { rule: managers, scope: 'all' },
  listOwnJoinRequests: { rule: anyKey, scope: 'read' },
  withdrawJoinRequest: { rule: anyKey, scope: 'all' },
  listBlockedUsers: { rule: managers, scope: 'read' },
  blockUser: { rule: managers, scope: 'all' },
  unblockUser: { rule: managers, scope: 'all' },

  sendMessage: { rule: resourceOwner, scope: 'all' },
  receiveMessages: { rule: resourceOwner, scope: 'all' },
  sendHeartbeat: { rule: resourceOwner, scope: 'position' },
  listSentMessages: { rule: resourceOwner, scope: 'read' },
  listMessages: { rule: members, scope: 'read' },
  exportMessages: { rule: members, scope: 'read' },
  getSwarmValues: { rule: members, scope: 'read' },

  reportOwnTracks: { rule: deviceKey, scope: 'position' },

  streamEvents: { rule: anyKey, scope: 'read' },

  listActivity: { rule: anyKey, scope: 'read' },
  markActivityRead: { rule: anyKey, scope: 'all' },
} as const satisfies Record<
  string,
  { rule: ResourceRule | SwarmRule | typeof anyKey | typeof deviceKey | typeof linkHolder; scope: KeyScope }
>;

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
export type OperationOn<Rule> = { [O in Operation]: (typeof policy)[O]['rule'] extends Rule ? O : never }[Operation];

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

/** Whether a key with this scope may do the operation. */
export const mayDo = (scope: KeyScope, operation: Operation): boolean =>
  scope === 'all' || scope === policy[operation].scope;

/** The scopes whose keys may do the operation. */
export const scopesOf = (operation: Operation): KeyScope[] => keyScopes.filter((scope) => mayDo(scope, operation));

const allowed = {
  all: 'do everything',
  read: 'only read',
  position: 'only report positions and send heartbeats',
} as const satisfies Record<KeyScope, string>;

export const outOfScope = (scope: KeyScope): Problem =>
  new Problem('key.scope', { detail: `This key has the scope ${scope}: it may ${allowed[scope]}` });
