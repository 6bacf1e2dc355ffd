/**
 * Who may do what, as data. Every operation of the service has a row; registering one without fails.
 * Source: design decisions on visibility, held by the authorisation table of the tests.
 */

/** What the caller is to a resource. `stranger` also stands for "there is no such resource". */
export type Relation = 'owner' | 'swarm_owner' | 'member' | 'stranger';
/** `hide` answers 404, as if there were nothing; `forbid` answers 403. */
export type Verdict = 'allow' | 'forbid' | 'hide';

type Rule = Record<Relation, Verdict>;

const ownersOnly: Rule = { owner: 'allow', swarm_owner: 'forbid', member: 'forbid', stranger: 'hide' };
const whoeverSharesASwarm: Rule = { owner: 'allow', swarm_owner: 'allow', member: 'allow', stranger: 'hide' };

export const policy = {
  /** Acts on the caller's own account alone: any valid key. */
  createResource: 'any key',
  listResources: 'any key',
  getResource: whoeverSharesASwarm,
  updateResource: ownersOnly,
  destroyResource: ownersOnly,
  listSwarmsOfResource: ownersOnly,
} as const satisfies Record<string, Rule | 'any key'>;

export type Operation = keyof typeof policy;
