import { Problem } from '../../problem.ts';
import type { ExtendedSwarm, MemberRole, SwarmCreate, SwarmUpdate } from '../../contract.ts';
import { idFormat } from '../../limits/field-rules.ts';
import { quotaExceeded, type Quotas } from '../../limits/quotas.ts';
import type { Database } from '../../store/database.ts';
import { firstRow, raw, type Sql, type Statement } from '../../store/statement.ts';
import type { SwarmRow } from '../../store/row-types.ts';
import { isBlocked, removeViewers, viewers } from '../../store/visibility.ts';
import { changedSwarm, deletedSwarm } from '../activity/activity.store.ts';
import { listInDirectory } from './directory.store.ts';
import type { Claim } from '../endpoint/idempotency.store.ts';
import { arrayOf, chunksOf, chunkSql } from '../endpoint/list-chunks.store.ts';
import { insertOwnMembers, withinSwarmsOfDevice, type Members } from '../members/members.store.ts';
import { policy, verdictOf, type OperationOn, type SwarmRelation, type SwarmRule } from '../endpoint/policy.ts';
import { userExists } from '../../store/user-locks.ts';
import { storeTexts } from './swarm-texts.store.ts';
import { lockIfAllowed, mayStill, relationToSwarm, withinQuota } from '../endpoint/write-checks.store.ts';

const columns = [
  'id',
  'user_id',
  'name',
  'description',
  'public',
  'listed',
  'accepts_requests',
  'expected_every',
  'created_at',
  'modified_at',
  'version',
];
/** The columns of a swarm `s`, as a user who may be blocked sees them. */
const columnsFor = (user: Sql) =>
  columns.map((column) =>
    column === 'accepts_requests'
      ? `CASE WHEN ${isBlocked(user).sql} THEN 0 ELSE s.accepts_requests END AS accepts_requests`
      : `s.${column}`,
  );
const sizeOfSwarm = 'coalesce((SELECT members FROM swarm_sizes WHERE swarm_id = s.id), 0) AS members';
/** An expression for FROM: the swarms with these ids, in their order. */
const swarmsById = (ids: string) => `elements(${ids}) wanted JOIN /*in this order*/ swarms s ON s.id = wanted.value`;
/** `chunk`: the ids of a list. `these`: the swarms of these ids that are still in it. */
const listOf = ({ rows, row, key }: Record<'rows' | 'row' | 'key', string>) => ({
  chunk: chunkSql({
    columns: `s.id, s.created_at, ${sizeOfSwarm}`,
    time: 's.created_at',
    id: 's.id',
    from: `${rows} JOIN swarms s ON s.id = ${row}.swarm_id`,
    where: `${row}.${key} = $3 AND s.user_id <> ''`,
  }),
  these: `SELECT ${columnsFor(raw('$1')).join(', ')} FROM ${swarmsById('$2')}
    JOIN /*in this order*/ ${rows} ON ${row}.swarm_id = s.id AND ${row}.${key} = $1 WHERE s.user_id <> ''`,
});
const ofUser = listOf({ rows: viewers, row: 'viewer', key: 'user_id' });
const ofResource = listOf({ rows: 'memberships m', row: 'm', key: 'resource_id' });
/** Swarms of a list that are read at once: so many, with so many members together. */
const readAtOnce = { swarms: 100, members: 1000 };

/** Memberships, and as many invitations, that are deleted in one commit. */
const purgeSize = 500;

/** New values of a swarm's settings. `modified_at`: the one that the client has read. */
type SwarmChange = Pick<
  SwarmUpdate,
  'name' | 'description' | 'public' | 'listed' | 'accepts_requests' | 'expected_every' | 'modified_at'
>;

/** A swarm of a list, with the number of members that are read with it. */
interface ListedSwarm extends Pick<SwarmRow, 'id' | 'created_at'> {
  members: number;
}

interface AllowedSwarm {
  swarm: SwarmRow;
  relation: SwarmRelation;
  verdict: 'allow' | 'summary';
}

export type Swarms = ReturnType<typeof createSwarms>;

interface Parts {
  db: Database;
  quotas: Quotas;
  members: Pick<Members, 'inSwarm' | 'ofSwarms' | 'one' | 'memberOf'>;
  /** Called when the rest of a destroyed swarm is left for `purgeSome`. */
  onLeft: () => void;
  now: () => Date;
}

/**
 * Swarms. A swarm's version counts its own changes and those of its members' roles (members.store.ts).
 * `baseUrl` is where members' addresses begin.
 */
export function createSwarms({ db, quotas, members, onLeft, now }: Parts) {
  async function find(id: string): Promise<SwarmRow | undefined> {
    const select = `SELECT ${columns.join(', ')} FROM swarms WHERE id = $1 AND user_id <> ''`;
    const [found] = await db.read<SwarmRow>({ sql: select, params: [id] });
    return found;
  }

  async function relationTo(swarm: SwarmRow, userId: string): Promise<SwarmRelation> {
    if (swarm.user_id === userId) return 'owner';
    const select = `SELECT ${relationToSwarm} AS relation FROM swarms s WHERE s.id = $1`;
    const [found] = await db.read<{ relation: SwarmRelation }>({ sql: select, params: [swarm.id, userId] });
    return found?.relation ?? 'stranger';
  }

  /**
   * Passes on what an operation reads of the swarm, while the user may execute it: a client may read for hours.
   * @throws `swarm.not_found`
   */
  async function* whileAllowed<T>(reading: {
    id: string;
    userId: string;
    operation: OperationOn<SwarmRule>;
    parts: AsyncIterable<T>;
  }) {
    const { id, userId, operation, parts } = reading;
    let isFirst = true;
    for await (const part of parts) {
      // The caller has checked access immediately before the first part.
      if (!isFirst && (await db.read(mayStill({ operation, swarmId: id, userId }))).length === 0)
        throw new Problem('swarm.not_found');
      isFirst = false;
      yield part;
    }
  }

  /**
   * The whole swarm with its members, as the spec's JSON. `viewer`: only while this user may see the members. `only`: of the
   * members, only this one.
   */
  async function* whole(
    swarm: SwarmRow,
    { viewer, only, ...more }: { access?: 'full'; viewer?: string; only?: string | undefined } = {},
  ): AsyncGenerator<string, void> {
    yield `${headOf(swarm, more)},"resources":[`;
    const parts = only === undefined ? members.inSwarm(swarm.id) : members.one({ id: swarm.id, resourceId: only });
    yield* viewer === undefined
      ? parts
      : whileAllowed({ id: swarm.id, userId: viewer, operation: 'listMembers', parts });
    yield ']}';
  }

  /** The list of a resource's swarms is the spec's, with only the spec's fields. */
  async function* listBy(
    list: typeof ofUser,
    { key, viewer, only }: Record<'key' | 'viewer', string> & { only?: string | undefined },
  ): AsyncGenerator<string, void> {
    let comma = '';
    const chunks = chunksOf({
      read: (after) => db.read<ListedSwarm>({ sql: list.chunk, params: [...after, key] }),
      keyOf: ({ created_at, id }) => [created_at, id],
      recordOf: ({ id, members: amount }) => ({ id, members: only === undefined ? amount : 1 }),
    });
    for await (const chunk of chunks) {
      for (const group of readGroupsOf(chunk)) {
        const ids = group.map(({ id }) => id);
        // A client may read slowly: meanwhile a swarm may have ended, or the client may have lost access to it.
        const found = await db.read<SwarmRow>({ sql: list.these, params: [key, JSON.stringify(ids)] });
        const swarms = list === ofUser ? found : found.map(specified);
        if (group[0].members > readAtOnce.members) {
          for (const swarm of swarms) {
            yield comma;
            yield* whole(swarm, { viewer, only });
            comma = ',';
          }
          continue;
        }
        const membersOf = await members.ofSwarms({ ids, only });
        const texts = swarms.map((swarm) => `${headOf(swarm)},"resources":${JSON.stringify(membersOf(swarm.id))}}`);
        if (texts.length === 0) continue;
        yield comma + texts.join(',');
        comma = ',';
      }
    }
  }

  async function memberCount(id: string): Promise<number> {
    const select = 'SELECT members FROM swarm_sizes WHERE swarm_id = $1';
    const [size] = await db.read<{ members: number }>({ sql: select, params: [id] });
    return size?.members ?? 0;
  }

  /** Returns the swarm as this user sees it. The user may be blocked. */
  async function shownTo({ swarm, userId }: { swarm: SwarmRow; userId: string }): Promise<SwarmRow> {
    const select = `SELECT 1 FROM swarms s WHERE s.id = $1 AND ${isBlocked(raw('$2')).sql}`;
    const [blocked] = await db.read({ sql: select, params: [swarm.id, userId] });
    return blocked ? withoutRequests(swarm) : swarm;
  }

  const summaryOf = (swarm: SwarmRow, count: number) =>
    `${headOf(swarm, { access: 'summary' })},"resources":[],"member_count":${count}}`;
  const summary = async (swarm: SwarmRow) => summaryOf(swarm, await memberCount(swarm.id));

  return {
    find,
    whole,
    shownTo,
    whileAllowed,
    newSwarm: (created: NewSwarm) => newSwarm(members, created),
    head: (swarm: SwarmRow) => `${headOf(swarm)}}`,
    summary,
    /** The summaries of the swarms with these ids, as this user sees them, who may be blocked. By id. */
    async summariesFor({ userId, ids }: { userId: string; ids: readonly string[] }): Promise<Map<string, string>> {
      const rows = await db.read<SwarmRow & { members: number }>({
        sql: `SELECT ${columnsFor(raw('$1')).join(', ')}, ${sizeOfSwarm} FROM ${swarmsById('$2')} WHERE s.user_id <> ''`,
        params: [userId, JSON.stringify(ids)],
      });
      return new Map(rows.map(({ members: count, ...swarm }) => [swarm.id, summaryOf(swarm, count)]));
    },
    memberCount,

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
      const swarm = idFormat.test(id) ? await find(id) : undefined;
      if (!swarm) throw new Problem('swarm.not_found');
      const rule: SwarmRule = policy[operation];
      const relation = await relationTo(swarm, userId);
      const verdict = verdictOf({ rule, relation, isOwn: about === userId });
      if (verdict === 'allow' || verdict === 'summary') return { swarm, relation, verdict };
      throw new Problem(verdict === 'forbid' ? 'swarm.forbidden' : 'swarm.not_found');
    },

    /** Owned, managed and joined. */
    listOfUser: (userId: string) => arrayOf(listBy(ofUser, { key: userId, viewer: userId })),
    /** `isAlone`: of the members, only the resource itself. */
    listOfResource: (listed: { resourceId: string; userId: string; isAlone: boolean }) => {
      const { resourceId: key, userId: viewer, isAlone } = listed;
      return arrayOf(listBy(ofResource, { key, viewer, only: isAlone ? key : undefined }));
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
 * Returns `<id> <created_at>`. `no resource`: one of the resources does not belong to the user.
 */
async function create(
  { db, quotas, now }: Pick<Parts, 'db' | 'quotas' | 'now'>,
  swarm: CreatedSwarm,
): Promise<{ created: string } | 'no user' | 'no resource'> {
  const { id, userId, body, claim } = swarm;
  const at = now().toISOString();
  const created = `${id} ${at}`;
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
    ...claim(() => created),
  ]);
  if (written.ok) return { created };
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
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { swarm, actor, change, version }: UpdatedSwarm,
): Promise<SwarmRow | undefined> {
  const { id } = swarm;
  const { name = swarm.name, description = swarm.description, modified_at: modifiedAt = null } = change;
  const isPublic = change.public ?? swarm.public === 1;
  const isListed = isPublic && (change.listed ?? swarm.listed === 1);
  const accepts = change.accepts_requests ?? swarm.accepts_requests === 1;
  const expected = change.expected_every === undefined ? swarm.expected_every : change.expected_every;
  const at = now().toISOString();
  const written = await db.write([
    ...lockIfAllowed({ operation: 'updateSwarm', swarmId: id, userId: actor }),
    ...changedSwarm({ at, actor, id, name: change.name, isPublic: change.public }),
    {
      // The clock may be set back: a change is never earlier than the one before.
      sql: `UPDATE swarms SET name = $2, description = $3, public = $4, listed = $5, accepts_requests = $13,
              version = version + 1, expected_every = $15,
              expected_after = CASE WHEN expected_every IS DISTINCT FROM $15 THEN '' ELSE expected_after END,
              modified_at = greatest(coalesce(modified_at, created_at), $6)
            WHERE id = $1 AND version = coalesce($7, version)
              AND modified_at IS NOT DISTINCT FROM coalesce($8, modified_at)
              AND name = $9 AND description = $10 AND public = $11 AND listed = $12 AND accepts_requests = $14
              AND expected_every IS NOT DISTINCT FROM $16
            RETURNING ${columns.join(', ')}`,
      params: [
        id,
        name,
        description,
        Number(isPublic),
        Number(isListed),
        at,
        version ?? null,
        modifiedAt,
        swarm.name,
        swarm.description,
        swarm.public,
        swarm.listed,
        Number(accepts),
        swarm.accepts_requests,
        expected,
        swarm.expected_every,
      ],
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
  { db, now, onLeft }: Pick<Parts, 'db' | 'now' | 'onLeft'>,
  destroyed: DestroyedSwarm,
): Promise<boolean> {
  const { id, userId, version } = destroyed;
  const isAllowed = lockIfAllowed({ operation: 'destroySwarm', swarmId: id, userId });
  const open = `FROM invitations WHERE swarm_id = $1 AND status = 'new'`;
  while ((await db.read({ sql: `SELECT 1 ${open} LIMIT 1 OFFSET ${purgeSize}`, params: [id] })).length > 0) {
    const { ok } = await db.write([
      ...isAllowed,
      {
        sql: 'SELECT 1 FROM swarms WHERE id = $1 AND version = coalesce($2, version)',
        params: [id, version ?? null],
        orFail: 'changed',
      },
      {
        sql: `DELETE FROM invitations WHERE id IN (SELECT id ${open} LIMIT ${purgeSize})`,
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
    { sql: `DELETE ${open}`, params: [id] },
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

/** Consecutive swarms that are read together. A larger one is alone. */
function readGroupsOf(swarms: readonly Pick<ListedSwarm, 'id' | 'members'>[]) {
  const groups: [(typeof swarms)[number], ...(typeof swarms)[number][]][] = [];
  let sum = Infinity;
  for (const swarm of swarms) {
    sum += swarm.members;
    const last = groups.at(-1);
    if (last && sum <= readAtOnce.members && last.length < readAtOnce.swarms) last.push(swarm);
    else {
      groups.push([swarm]);
      sum = swarm.members;
    }
  }
  return groups;
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
  const of = (sql: string): Statement => ({ sql, params: [id] });
  return [
    {
      ...of(`DELETE FROM memberships WHERE swarm_id = $1 AND resource_id IN
          (SELECT resource_id FROM memberships WHERE swarm_id = $1 LIMIT ${purgeSize})`),
      rows,
    },
    of(`DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE swarm_id = $1 LIMIT ${purgeSize})`),
    of(`DELETE FROM join_requests WHERE id IN (SELECT id FROM join_requests WHERE swarm_id = $1 LIMIT ${purgeSize})`),
    of(`DELETE FROM swarms WHERE id = $1 AND user_id = ''
          AND NOT EXISTS (SELECT 1 FROM memberships WHERE swarm_id = $1)
          AND NOT EXISTS (SELECT 1 FROM invitations WHERE swarm_id = $1)
          AND NOT EXISTS (SELECT 1 FROM join_requests WHERE swarm_id = $1)`),
    { ...of('SELECT 1 FROM swarms WHERE id = $1'), isResult: true },
  ];
}

/** Returns the swarm with only the spec's fields. */
const specified = (swarm: SwarmRow): SwarmRow => ({
  ...swarm,
  modified_at: null,
  listed: 0,
  accepts_requests: 1,
  expected_every: null,
});

/** Returns the swarm as a user whom it blocks sees it. */
export const withoutRequests = (swarm: SwarmRow): SwarmRow => ({ ...swarm, accepts_requests: 0 });

function headOf(swarm: SwarmRow, more: object = {}): string {
  const {
    id,
    user_id,
    name,
    description,
    created_at,
    modified_at,
    public: open,
    listed,
    accepts_requests,
    expected_every,
  } = swarm;
  const modified = modified_at === null ? {} : { modified_at };
  const settings = {
    ...(listed === 1 && { listed: true }),
    ...(accepts_requests === 0 && { accepts_requests: false }),
    ...(expected_every !== null && { expected_every }),
  };
  const head = { id, user_id, name, description, created_at, ...modified, public: open === 1, ...settings, ...more };
  return JSON.stringify(head).slice(0, -1);
}
