/**
 * The access policy as a table. Every operation of the service needs a row; registering one without a row fails.
 * `rule`: who may do it. `scope`: that of a key that may do it, besides `all`. `receiveMessages` is none of `read`, because it acts as the
 * device: it takes one of its streams.
 * authorisation.test.ts checks it.
 */
import { withCapabilities } from '../collect.ts';
import { keyScopes, type KeyScope } from '../limits/field-rules.ts';
import { Problem } from '../problem.ts';
import {
  allWithAccess,
  anyKey,
  ownerAndManagers,
  managersAndOwn,
  managersAndWatchers,
  members,
  ownersAndFellowMembers,
  resourceOwner,
  swarmOwner,
  deviceKey,
  type PolicyRow,
  type SwarmRelation,
  type SwarmRule,
  type Verdict,
} from './rules.ts';

export const policy = withCapabilities('policy', {
  createResource: { rule: anyKey, scope: 'all' },
  listResources: { rule: anyKey, scope: 'read' },
  exportResources: { rule: anyKey, scope: 'read' },
  getResource: { rule: ownersAndFellowMembers, scope: 'read', ofDevice: true },
  updateResource: { rule: resourceOwner, scope: 'position', ofDevice: true },
  destroyResource: { rule: resourceOwner, scope: 'all' },
  listSwarmsOfResource: { rule: resourceOwner, scope: 'read', ofDevice: true },
  getRefusals: { rule: resourceOwner, scope: 'read', ofDevice: true },

  createSwarm: { rule: anyKey, scope: 'all' },
  listSwarms: { rule: anyKey, scope: 'read' },
  listDirectory: { rule: anyKey, scope: 'read' },
  getSwarm: { rule: allWithAccess, scope: 'read' },
  updateSwarm: { rule: swarmOwner, scope: 'all' },
  destroySwarm: { rule: swarmOwner, scope: 'all' },
  getSilenceNotices: { rule: managersAndWatchers, scope: 'read' },
  setSilenceNotices: { rule: managersAndWatchers, scope: 'all' },
  addMember: { rule: swarmOwner, scope: 'all' },
  listMembers: { rule: members, scope: 'read' },
  updateMember: { rule: managersAndOwn, scope: 'all' },
  removeMember: { rule: managersAndOwn, scope: 'all' },

  sendInvitation: { rule: ownerAndManagers, scope: 'all' },
  listSentInvitations: { rule: ownerAndManagers, scope: 'read' },
  withdrawInvitation: { rule: ownerAndManagers, scope: 'all' },
  answerInvitation: { rule: resourceOwner, scope: 'all' },
  listInvitationsOfResource: { rule: resourceOwner, scope: 'read' },
  listInvitations: { rule: anyKey, scope: 'read' },

  streamEvents: { rule: anyKey, scope: 'read' },

  listActivity: { rule: anyKey, scope: 'read' },
  markActivityRead: { rule: anyKey, scope: 'all' },
} as const satisfies Record<string, PolicyRow>);

export type Operation = keyof typeof policy;
const withMark = (mark: 'ofDevice' | 'confirmed') =>
  new Set(
    (Object.entries<PolicyRow>(policy) as [Operation, PolicyRow][])
      .filter(([, row]) => row[mark])
      .map(([name]) => name),
  );
export const ofDevice: ReadonlySet<Operation> = withMark('ofDevice');
export const confirmed: ReadonlySet<Operation> = withMark('confirmed');
/** Whether it is only for the key of a device. */
export const isOnlyForDevices = (operation: Operation): boolean => (policy[operation] as PolicyRow).rule === deviceKey;
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
