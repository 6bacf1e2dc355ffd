/** The rules that a row of the policy can have. `contract.ts` of a capability imports them too. */
import type { KeyScope } from '../limits/field-rules.ts';

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
export type Verdict = 'allow' | 'own' | 'summary' | 'forbid' | 'hide';

export type ResourceRule = Record<ResourceRelation, Verdict>;
export type SwarmRule = Record<SwarmRelation, Verdict>;
/** Operations on the caller's own account. */
export const anyKey = 'any key';
/** The operation is only for the key of a device, about this device. */
export const deviceKey = 'device key';
/** The operation is for any user who has the code of a link that can be used. */
export const linkHolder = 'link holder';

export const resourceOwner: ResourceRule = {
  owner: 'allow',
  swarm_owner: 'forbid',
  member: 'forbid',
  stranger: 'hide',
};
export const ownersAndFellowMembers: ResourceRule = { ...resourceOwner, swarm_owner: 'allow', member: 'allow' };
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
export const swarmOwner: SwarmRule = { ...sameForAll('forbid'), owner: 'allow' };
export const ownerAndManagers: SwarmRule = { ...swarmOwner, manager: 'allow' };
export const managersAndWatchers: SwarmRule = { ...ownerAndManagers, watcher: 'allow' };
export const managersAndOwn: SwarmRule = { ...ownerAndManagers, watcher: 'own', member: 'own' };
/** The operation itself checks whether a member owns a consumer. */
export const members: SwarmRule = { ...ownerAndManagers, watcher: 'allow', member: 'allow' };
/** The owner adds own resources directly. The operation itself checks whether the swarm is public. */
export const allButOwner: SwarmRule = { ...sameForAll('allow'), owner: 'forbid' };
export const allWithAccess: SwarmRule = { ...members, recipient: 'summary', public: 'summary' };
export const aboutCaller = sameForAll('own');

export interface PolicyRow {
  rule: ResourceRule | SwarmRule | typeof anyKey | typeof deviceKey | typeof linkHolder;
  /** That of a key that may do it, besides `all`. */
  scope: KeyScope;
  /** The key of a device may do it, only with its own device. */
  ofDevice?: true;
  /** A session may do it only after its user has shown again that it is them: it gives a record away. A key is not asked. */
  confirmed?: true;
}
