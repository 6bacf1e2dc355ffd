/** Who sees the devices of a swarm, now or in the past. The triggers `audience.ts` keep the numbers, and note what changes. */
import type { Audience, AudienceRole, Reach, SwarmAudience } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { audienceRoles, reaches } from '../../core/limits/field-rules.ts';
import type { Requester } from '../../core/limits/fair-queue.ts';
import type { LongReads } from '../../core/limits/long-reads.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { audienceMigration } from '../../core/store/schema/migrations.ts';
import { raw, sql, type Sql } from '../../core/store/statement.ts';
import {
  changesOfReach,
  changesOfReceivers,
  changesOfRoles,
  consumersOf,
  hasAgreed,
  isOpen,
  isOpenLink,
  isOpenToGuests,
  reachOf,
  seenSwarms,
} from '../../core/store/visibility.ts';

/** From the first to the second, without it. */
export interface Period {
  from: string;
  until: string;
}

interface AudienceQuery {
  requester: Requester;
  after?: string | undefined;
  limit: number;
  period?: Period | undefined;
}

interface AudienceRow {
  id: string;
  name: string;
  owner: string;
  owner_since: string;
  reach: Reach;
  seen_since: string;
  member_since: string | null;
  receivers_then: number | null;
  ends_at: string | null;
  users: number | null;
  /** Of the requester. `own_consumers`: without the resource. */
  own_devices: number;
  own_consumers: number;
  consumers: number | null;
  consumer_users: number | null;
  changed_at: string | null;
  /** The oldest changes of roles, of the reach and of receivers in a period, if there are as many as are kept. */
  oldest_role_at: string | null;
  oldest_reach_at: string | null;
  oldest_receivers_at: string | null;
  open_links: number;
  guest_links: number;
  shown_by_links: number | null;
  /** The resource is one of the consumers, and the only one of its owner: of how many devices and users that is. */
  itself: number;
  itself_only: number;
  begun_at: string;
  /** JSON of its managers and watchers. */
  named: string;
}

interface Named {
  user_id: string;
  role: AudienceRole;
  since: string;
  ends_at: string | null;
}

interface ChangeRow {
  swarm_id: string;
  at: string;
  kind: AudienceRole | 'none' | Reach | 'receives' | 'receives_not' | 'links' | 'links_not' | 'guests' | 'guests_not';
  user_id: string | null;
  was: string;
}

export type AudienceReads = ReturnType<typeof createAudienceReads>;

export function createAudienceReads({ readsOf, now }: { readsOf: LongReads; now: () => Date }) {
  /** A page of the swarms of `page` that the requester sees, in the order of their ids. */
  async function read({ requester, limit, period }: AudienceQuery, page: Sql): Promise<Audience> {
    const db = readsOf(requester);
    const rows = await db.read<AudienceRow>(
      selectAudience({
        page,
        user: requester.user,
        limit: limit + 1,
        at: now().toISOString(),
        isPast: period !== undefined,
      }),
    );
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? shown.at(-1)!.id : null;
    const keptSince = new Date(now().getTime() - audienceLimits.days * dayMs).toISOString();
    if (!period) return { items: shown.map((row) => audienceOf(row, keptSince)), next };
    const changes = await db.read<ChangeRow>({
      sql: `SELECT swarm_id, at, kind, ${shownUser} AS user_id, was FROM audience_changes
            WHERE swarm_id IN (SELECT value FROM elements($1)) AND at >= $2 ORDER BY swarm_id, seq`,
      params: [JSON.stringify(shown.map(({ id }) => id)), period.from],
    });
    const bySwarm = Map.groupBy(changes, ({ swarm_id }) => swarm_id);
    const items = shown.flatMap((row) =>
      pastAudienceOf(audienceOf(row, keptSince), { period, row, changes: bySwarm.get(row.id) ?? [] }),
    );
    return { items, next };
  }

  return {
    /** `owner`: of the resource. */
    ofResource: ({ id, owner, ...query }: AudienceQuery & { id: string; owner: string }) =>
      read(
        query,
        sql`SELECT ${pageColumns}, m.member_since, m.receivers_then, m.ends_at, m.shown_by_links, ${isConsumer} AS itself,
            CASE WHEN ${isConsumer} = 1 AND ${consumersOf(owner)} = 1 THEN 1 ELSE 0 END AS itself_only,
            viewer.consumers - CASE WHEN viewer.user_id = ${owner} THEN ${isConsumer} ELSE 0 END AS own_consumers
          FROM ${raw(seenSwarms)} JOIN memberships m ON m.swarm_id = s.id
          WHERE m.resource_id = ${id} AND ${raw(isOpen('m'))} AND m.swarm_id > ${query.after ?? ''}`,
      ),

    ofSwarm: ({ id, ...query }: AudienceQuery & { id: string }) =>
      read(
        query,
        sql`SELECT ${pageColumns}, CAST(NULL AS text) AS member_since, CAST(NULL AS bigint) AS receivers_then,
            CAST(NULL AS text) AS ends_at, CAST(NULL AS bigint) AS shown_by_links, 0 AS itself, 0 AS itself_only,
            viewer.consumers AS own_consumers
          FROM ${raw(seenSwarms)} WHERE s.id = ${id}`,
      ),
  };
}

/** A device does not receive what it sends itself. */
const isConsumer = raw(`CASE m.resource_type WHEN 'producer' THEN 0 ELSE 1 END`);

const pageColumns = raw(`s.id, s.name, s.user_id AS owner, coalesce(s.owner_since, s.created_at) AS owner_since,
  ${reachOf('s')} AS reach,
  viewer.since AS seen_since, viewer.resources AS own_devices`);

/** Empty if the account has ended. The row is forgotten a little later. */
const shownUser = `CASE WHEN user_id IN (SELECT name FROM retired_names) THEN '' ELSE user_id END`;

/** One row for each swarm: its managers and watchers are one text, because a row for each of them took most of the time. */
function selectAudience({
  page,
  user,
  limit,
  at,
  isPast,
}: {
  page: Sql;
  user: string;
  limit: number;
  at: string;
  /** Reads what only a period in the past needs, and what takes as long as everything else for swarms with many changes. */
  isPast: boolean;
}): Sql {
  const changeAt = (condition: string, offset: number) =>
    raw(
      `(SELECT at FROM audience_changes WHERE swarm_id = page.id AND ${condition} ORDER BY seq DESC LIMIT 1 OFFSET ${offset})`,
    );
  const oldestKept = (condition: string) =>
    isPast ? changeAt(condition, audienceLimits.changes - 1) : raw('CAST(NULL AS text)');
  const openLink = { sql: isOpenLink('link', '$1'), params: [at] };
  const openToGuests = { sql: isOpenToGuests('link', '$1'), params: [at] };
  return sql`WITH page AS MATERIALIZED (${page} AND viewer.user_id = ${user} ORDER BY s.id LIMIT ${limit})
    SELECT page.id, page.name, page.owner, page.owner_since, page.reach, page.seen_since, page.own_devices, page.own_consumers, page.member_since,
      page.receivers_then, page.ends_at, size.users, size.consumers, size.consumer_users, page.shown_by_links, page.itself, page.itself_only,
      ${changeAt('true', 0)} AS changed_at, ${oldestKept(changesOfRoles)} AS oldest_role_at,
      ${oldestKept(changesOfReach)} AS oldest_reach_at, ${oldestKept(changesOfReceivers)} AS oldest_receivers_at,
      (SELECT count(*) FROM join_links link WHERE link.swarm_id = page.id AND ${openLink}) AS open_links,
      (SELECT count(*) FROM share_links link WHERE link.swarm_id = page.id AND ${openToGuests}) AS guest_links,
      (SELECT at FROM swarmdeck_migrations WHERE name = ${audienceMigration}) AS begun_at,
      coalesce((SELECT json_agg(json_build_object('user_id', named.user_id, 'role', named.role, 'since', named.agreed_at, 'ends_at', named.ends_at)
          ORDER BY named.agreed_at, named.user_id)
        FROM managers named WHERE named.swarm_id = page.id AND ${raw(hasAgreed('named'))}), '[]') AS named
    FROM page LEFT JOIN swarm_sizes size ON size.swarm_id = page.id ORDER BY page.id`;
}

const latest = (...times: readonly (string | null)[]) =>
  times.reduce<string>((a, b) => (b !== null && b > a ? b : a), '');
const rankOf = (role: AudienceRole) => audienceRoles.indexOf(role);

function audienceOf(row: AudienceRow, keptSince: string): SwarmAudience {
  const { id, name, owner, reach, seen_since, member_since, receivers_then, ends_at } = row;
  const others = (JSON.parse(row.named) as Named[]).map(({ ends_at: until, ...each }) => ({
    ...each,
    ...(until !== null && { ends_at: until }),
  }));
  const knownSince = latest(row.begun_at, row.oldest_role_at, keptSince, seen_since, member_since);
  return {
    swarm: { id, name },
    named: [{ user_id: owner, role: 'owner' as const, since: row.owner_since }, ...others]
      .map((user) => ({ ...user, since: latest(user.since, member_since) }))
      .toSorted((a, b) => rankOf(b.role) - rankOf(a.role)),
    users: row.users ?? 0,
    own_devices: row.own_devices,
    receivers: {
      users: (row.consumer_users ?? 0) - row.itself_only,
      devices: (row.consumers ?? 0) - row.itself,
      own: row.own_consumers,
    },
    reach,
    open_links: row.open_links,
    guest_links: row.guest_links,
    since: latest(row.changed_at, knownSince),
    known_since: knownSince,
    ...(member_since !== null && { member_since }),
    ...(ends_at !== null && { ends_at }),
    ...(receivers_then !== null && { receivers_then }),
    ...(row.shown_by_links !== null && { shown_by_links: row.shown_by_links === 1 }),
  };
}

/** What it was at any moment of the period, as far as the requester may know. Nothing if that is none of it. */
function pastAudienceOf(
  today: SwarmAudience,
  { period, row, changes }: { period: Period; row: AudienceRow; changes: readonly ChangeRow[] },
): SwarmAudience[] {
  const {
    named,
    receivers,
    users: _,
    own_devices: _own,
    receivers_then: _then,
    ends_at: _end,
    reach: reachNow,
    open_links: _links,
    guest_links: _guests,
    shown_by_links: _shown,
    ...rest
  } = today;
  const from = latest(period.from, today.known_since);
  if (from >= period.until) return [];
  const later = changes.filter(({ at }) => at >= from);
  /** What it was at the beginning, and what it became. `now` if nothing has changed since. */
  const during = (rows: readonly ChangeRow[], now: string) => [
    rows[0]?.was ?? now,
    ...rows.filter(({ at }) => at < period.until).map(({ kind }) => kind as string),
  ];
  const highest = <T extends string>(order: readonly T[], values: readonly string[]) =>
    order.findLast((each) => values.includes(each));

  const ofRoles = Map.groupBy(
    later.filter(({ kind }) => kind === 'none' || (audienceRoles as readonly string[]).includes(kind)),
    ({ user_id }) => user_id!,
  );
  const roleNow = new Map(named.map(({ user_id, role }) => [user_id, role]));
  const people = [...new Set([...roleNow.keys(), ...ofRoles.keys()])].flatMap((user_id) => {
    const role = highest(audienceRoles, during(ofRoles.get(user_id) ?? [], roleNow.get(user_id) ?? 'none'));
    return role === undefined ? [] : [{ user_id, role }];
  });
  const ofReceivers = later.filter(({ kind }) => kind === 'receives' || kind === 'receives_not');
  const received = during(ofReceivers, String(receivers!.users));
  const ofReach = later.filter(({ kind }) => (reaches as readonly string[]).includes(kind));
  return [
    {
      ...rest,
      named: people.toSorted((a, b) => rankOf(b.role) - rankOf(a.role)),
      // Not known of a time whose changes are not kept any more.
      ...(from >= (row.oldest_receivers_at ?? '') && {
        received: Number(received[0]) > 0 || received.includes('receives'),
      }),
      ...(from >= (row.oldest_reach_at ?? '') && { reach: highest(reaches, during(ofReach, reachNow!))! }),
    },
  ];
}
