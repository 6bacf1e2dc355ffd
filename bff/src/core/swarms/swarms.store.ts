import { Problem } from '../problem.ts';
import type { ExtendedSwarm, MemberRole, SwarmCreate, SwarmUpdate } from '../../contract.ts';
import { idFormat } from '../limits/field-rules.ts';
import { quotaExceeded, type Quotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import { firstRow, raw, sql, type Statement } from '../store/statement.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { removeViewers } from '../store/visibility.ts';
import { changedSwarm, deletedSwarm } from '../activity/activity.store.ts';
import { listInDirectory } from './directory.store.ts';
import { createdText, type Claim, type CreatedRecord } from '../endpoint/idempotency.store.ts';
import { insertOwnMembers, withinSwarmsOfDevice } from '../members/member-statements.store.ts';
import type { Members } from '../members/members.store.ts';
import { policy, verdictOf, type OperationOn } from '../endpoint/policy.ts';
import type { SwarmRelation, SwarmRule } from '../endpoint/rules.ts';
import { userExists } from '../store/user-locks.ts';
import { createSwarmReads, swarmColumns } from './swarm-reads.store.ts';
import { storeTexts } from './swarm-texts.store.ts';
import { lockIfAllowed, relationToSwarm, withinQuota } from '../endpoint/write-checks.store.ts';

/** Memberships, and as many invitations, that are deleted in one commit. */
const purgeSize = 500;

/** New values of a swarm's settings. `modified_at`: the one that the client has read. */
type SwarmChange = Pick<
  SwarmUpdate,
  'name' | 'description' | 'public' | 'listed' | 'accepts_requests' | 'expected_every' | 'modified_at'
>;

interface AllowedSwarm {
  swarm: SwarmRow;
  relation: SwarmRelation;
  verdict: 'allow' | 'summary';
}

export type Swarms = ReturnType<typeof createSwarms>;

interface Deps {
  db: Database;
  quotas: Quotas;
  members: Pick<Members, 'inSwarm' | 'ofSwarms' | 'oneInSwarm' | 'memberOf'>;
  /** Called when the rest of a destroyed swarm is left for `purgeSome`. */
  onLeft: () => void;
  now: () => Date;
}

/**
 * Swarms. A swarm's version counts its own changes and those of its members' roles (members.store.ts). swarm-reads.store.ts has what
 * is read of them.
 */
export function createSwarms({ db, quotas, members, onLeft, now }: Deps) {
  /** `user`: who asks, if a request begins with it. */
  async function find(id: string, user?: string): Promise<SwarmRow | undefined> {
    const select = `SELECT ${swarmColumns.join(', ')} FROM swarms WHERE id = $1 AND user_id <> ''`;
    const [found] = await db.read<SwarmRow>({ sql: select, params: [id], user });
    return found;
  }

  async function relationTo(swarm: SwarmRow, userId: string): Promise<SwarmRelation> {
    if (swarm.user_id === userId) return 'owner';
    const select = `SELECT ${relationToSwarm} AS relation FROM swarms s WHERE s.id = $1`;
    const [found] = await db.read<{ relation: SwarmRelation }>({
      sql: select,
      params: [swarm.id, userId],
      user: userId,
    });
    return found?.relation ?? 'stranger';
  }

  return {
    find,
    ...createSwarmReads({ db, members }),
    newSwarm: (created: NewSwarm) => newSwarm(members, created),

    /**
     * The swarm with this id, if the user may execute the operation, and whether its members are hidden. `about`: the user
     * whose record it is about.
     * @throws `swarm.not_found`, `swarm.forbidden`
     */
    async require(request: {
      userId: string;
      id: string;
      operation: OperationOn<SwarmRule>;
      about?: string | undefined;
    }): Promise<AllowedSwarm> {
      const { userId, id, operation, about } = request;
      const swarm = idFormat.test(id) ? await find(id, userId) : undefined;
      if (!swarm) throw new Problem('swarm.not_found');
      const rule: SwarmRule = policy[operation].rule;
      const relation = await relationTo(swarm, userId);
      const verdict = verdictOf({ rule, relation, isOwn: about === userId });
      if (verdict === 'allow' || verdict === 'summary') return { swarm, relation, verdict };
      throw new Problem(verdict === 'forbid' ? 'swarm.forbidden' : 'swarm.not_found');
    },

    create: (created: CreatedSwarm) => create({ db, quotas, now }, created),
    update: (updated: UpdatedSwarm) => update({ db, now }, updated),
    destroy: (destroyed: DestroyedSwarm) => destroy({ db, now, onLeft }, destroyed),

    /** Deletes a part of a destroyed swarm. Returns false if nothing was left. */
    async purgeSome(): Promise<boolean> {
      const [hidden] = await db.read<Pick<SwarmRow, 'id'>>({ sql: `SELECT id FROM swarms WHERE user_id = '' LIMIT 1` });
      if (hidden) await db.write(purgeBatch(hidden.id, purgeSize));
      return hidden !== undefined;
    },
  };
}

interface CreatedSwarm {
  id: string;
  userId: string;
  body: SwarmCreate;
  claim: Claim;
}

/**
 * `no resource`: one of the resources does not belong to the user.
 */
async function create(
  { db, quotas, now }: Pick<Deps, 'db' | 'quotas' | 'now'>,
  swarm: CreatedSwarm,
): Promise<CreatedRecord | 'no user' | 'no resource'> {
  const { id, userId, body, claim } = swarm;
  const at = now().toISOString();
  const { name, description, expected_every = null, resources = [] } = body;
  const roles = rolesOf(resources);
  if (roles.size > quotas.members) throw quotaExceeded('members', quotas);
  const idsByRole = Map.groupBy(roles.keys(), (resourceId) => roles.get(resourceId)!);
  const written = await db.write([
    userExists(userId),
    {
      sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version, expected_every)
            VALUES ($1, $2, $3, $4, $5, $6, 1, $7)`,
      params: [id, userId, name, description, body.public ? 1 : 0, at, expected_every],
    },
    // Before the members: to be refused must not cost more than to be accepted.
    withinQuota({ userId, kind: 'swarms', allowed: quotas.swarms }),
    storeTexts({ id, name, description }),
    ...(roles.size > 0
      ? withinSwarmsOf({ ids: [...roles.keys()], swarmId: id, allowed: quotas.swarms_of_device })
      : []),
    ...[...idsByRole].map(([role, ids]) => insertOwnMembers({ swarmId: id, ids, role, userId, at })),
    ...(roles.size > 0 ? [hasMembers({ id, count: roles.size })] : []),
    ...claim(() => createdText({ id, at })),
  ]);
  if (written.ok) return { id, at };
  if (written.failed === 'too many swarms of device') throw quotaExceeded('swarms_of_device', quotas);
  if (written.failed === 'too many swarms') throw quotaExceeded('swarms', quotas);
  return written.failed;
}

interface UpdatedSwarm {
  swarm: SwarmRow;
  actor: string;
  change: SwarmChange;
  version: number | undefined;
}

/**
 * Returns undefined if the actor may not, or it has other settings than `swarm`, or another version or `modified_at` than the
 * one sent.
 */
async function update(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { swarm, actor, change, version }: UpdatedSwarm,
): Promise<SwarmRow | undefined> {
  const { id } = swarm;
  const { name = swarm.name, description = swarm.description, modified_at: modifiedAt = null } = change;
  const isPublic = change.public ?? swarm.public === 1;
  const isListed = isPublic && (change.listed ?? swarm.listed === 1);
  const accepts = change.accepts_requests ?? swarm.accepts_requests === 1;
  const expected = change.expected_every === undefined ? swarm.expected_every : change.expected_every;
  const at = now().toISOString();
  // The clock may be set back: a change is never earlier than the one before.
  const statement = sql`UPDATE swarms SET name = ${name}, description = ${description}, public = ${Number(isPublic)},
      listed = ${Number(isListed)}, accepts_requests = ${Number(accepts)}, expected_every = ${expected},
      expected_after = CASE WHEN expected_every IS DISTINCT FROM ${expected} THEN '' ELSE expected_after END,
      modified_at = greatest(coalesce(modified_at, created_at), ${at}), version = version + 1
    WHERE id = ${id} AND version = coalesce(${version ?? null}, version)
      AND modified_at IS NOT DISTINCT FROM coalesce(${modifiedAt}, modified_at)
      AND name = ${swarm.name} AND description = ${swarm.description} AND public = ${swarm.public}
      AND listed = ${swarm.listed} AND accepts_requests = ${swarm.accepts_requests}
      AND expected_every IS NOT DISTINCT FROM ${swarm.expected_every}
    RETURNING ${raw(swarmColumns.join(', '))}`;
  const written = await db.write([
    ...lockIfAllowed({ operation: 'updateSwarm', swarmId: id, userId: actor }),
    ...changedSwarm({ at, actor, id, name: change.name, isPublic: change.public }),
    {
      ...statement,
      orFail: 'changed',
      isResult: true,
    },
    storeTexts({ id, name, description }),
    ...(isListed ? [listInDirectory({ id, name, description })] : []),
  ]);
  return written.ok ? firstRow<SwarmRow>(written.rows) : undefined;
}

interface DestroyedSwarm {
  id: string;
  userId: string;
  version: number | undefined;
}

/**
 * Destroys a swarm with its memberships and invitations. Returns false if the user may not, or it has another version.
 * The write hides it from everybody: it has no owner and no viewers. If it has many members, `purgeSome` deletes the
 * rest, so that other users' writes run in between; many open invitations are deleted before.
 */
async function destroy(
  { db, now, onLeft }: Pick<Deps, 'db' | 'now' | 'onLeft'>,
  destroyed: DestroyedSwarm,
): Promise<boolean> {
  const { id, userId, version } = destroyed;
  const isAllowed = lockIfAllowed({ operation: 'destroySwarm', swarmId: id, userId });
  const openInvitations = `FROM invitations WHERE swarm_id = $1 AND status = 'new'`;
  while ((await db.read({ sql: `SELECT 1 ${openInvitations} LIMIT 1 OFFSET ${purgeSize}`, params: [id] })).length > 0) {
    const { ok } = await db.write([
      ...isAllowed,
      {
        sql: 'SELECT 1 FROM swarms WHERE id = $1 AND version = coalesce($2, version)',
        params: [id, version ?? null],
        orFail: 'changed',
      },
      {
        sql: `DELETE FROM invitations WHERE id IN (SELECT id ${openInvitations} LIMIT ${purgeSize})`,
        params: [id],
        rows: purgeSize,
      },
    ]);
    if (!ok) return false;
  }
  const written = await db.write([
    ...isAllowed,
    deletedSwarm({ at: now().toISOString(), id }),
    {
      sql: `UPDATE swarms SET user_id = '', public = 0, listed = 0 WHERE id = $1 AND version = coalesce($2, version)`,
      params: [id, version ?? null],
      orFail: 'changed',
    },
    removeViewers(id),
    { sql: 'DELETE FROM managers WHERE swarm_id = $1', params: [id] },
    { sql: 'DELETE FROM join_links WHERE swarm_id = $1', params: [id] },
    // Nobody can accept an invitation any more.
    { sql: `DELETE ${openInvitations}`, params: [id] },
    ...purgeBatch(id),
  ]);
  if (!written.ok) return false;
  if (written.rows.length > 0) onLeft();
  return true;
}

interface NewSwarm {
  id: string;
  userId: string;
  body: SwarmCreate;
  at: string;
  resourcesCreated: ReadonlyMap<string, string> | undefined;
}

/** A swarm that was created from `body` at this time. `resourcesCreated`: when its resources were created. */
function newSwarm(members: Pick<Members, 'memberOf'>, created: NewSwarm): ExtendedSwarm {
  const { id, userId, at, body, resourcesCreated } = created;
  const { name, description, expected_every, resources = [] } = body;
  const roles = rolesOf(resources);
  const since = (resourceId: string) => {
    const createdAt = resourcesCreated?.get(resourceId) ?? '';
    return `${createdAt > at ? createdAt : at}${resourceId}`;
  };
  // The members are in the order of the swarm's lists.
  const ids = [...roles.keys()].toSorted((a, b) => (since(a) < since(b) ? -1 : 1));
  return {
    id,
    user_id: userId,
    name,
    description,
    created_at: at,
    public: body.public ?? false,
    ...(expected_every !== undefined && { expected_every }),
    resources: ids.map((each) =>
      members.memberOf({ resource_id: each, resource_type: roles.get(each)!, user_id: userId }),
    ),
  };
}

/** The role of each resource, which may be there once for each role. */
function rolesOf(resources: NonNullable<SwarmCreate['resources']>): Map<string, MemberRole> {
  const roles = new Map<string, MemberRole>();
  for (const { resource_id, resource_type: role } of resources)
    roles.set(resource_id, (roles.get(resource_id) ?? role) === role ? role : 'both');
  return roles;
}

const withinSwarmsOf = (added: Parameters<typeof withinSwarmsOfDevice>[0]) => [
  {
    sql: 'SELECT 1 FROM resources WHERE id IN (SELECT value FROM elements($1)) ORDER BY id FOR UPDATE',
    params: [JSON.stringify(added.ids)],
  },
  withinSwarmsOfDevice(added),
];

/** Rejects the creation of a swarm if one of its resources was deleted meanwhile. */
const hasMembers = ({ id, count }: { id: string; count: number }): Statement<'no resource'> => ({
  sql: 'SELECT 1 FROM swarm_sizes WHERE swarm_id = $1 AND members = $2',
  params: [id, count],
  orFail: 'no resource',
});

/**
 * Deletes a part of a hidden swarm, and with the last part the swarm. The write returns a row if it remains. `rows`: how many it
 * deletes, if they are many.
 */
function purgeBatch(id: string, rows = 1): Statement[] {
  const ofSwarm = (sql: string): Statement => ({ sql, params: [id] });
  return [
    {
      ...ofSwarm(`DELETE FROM memberships WHERE swarm_id = $1 AND resource_id IN
          (SELECT resource_id FROM memberships WHERE swarm_id = $1 LIMIT ${purgeSize})`),
      rows,
    },
    ofSwarm(`DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE swarm_id = $1 LIMIT ${purgeSize})`),
    ofSwarm(
      `DELETE FROM join_requests WHERE id IN (SELECT id FROM join_requests WHERE swarm_id = $1 LIMIT ${purgeSize})`,
    ),
    ofSwarm(`DELETE FROM swarms WHERE id = $1 AND user_id = ''
          AND NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $1)
          AND NOT EXISTS (SELECT 1 FROM invitations WHERE swarm_id = $1)
          AND NOT EXISTS (SELECT 1 FROM join_requests WHERE swarm_id = $1)`),
    { ...ofSwarm('SELECT 1 FROM swarms WHERE id = $1'), isResult: true },
  ];
}
