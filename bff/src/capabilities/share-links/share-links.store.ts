/** Links that show a device, or members of a swarm, to people without an account, until their end. Of a code, only the hash is stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { ShareLink, ShareLinkCreate } from '../../contract.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import { shareLinkLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import { firstRow, raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { ShareLinkRow } from '../../core/store/row-types.ts';
import { isOpen, viewers } from '../../core/store/visibility.ts';
import { shareLinkActivity } from '../../core/activity/activity.store.ts';
import { locatedAt } from '../../core/resources/position-reports.ts';
import { sharedNow, type SharedNow } from './shared-now.shape.ts';

export type ShareLinks = ReturnType<typeof createShareLinks>;

/** What a link shows. */
export type Shown = { resourceId: string } | { swarmId: string };

const listedColumns =
  raw(`l.id, l.resource_id, l.swarm_id, l.name, l.shows_track, l.expires_at, l.created_at, l.opened_at,
  (SELECT CAST(coalesce(sum(viewer.shown), 0) AS bigint) FROM ${viewers} WHERE viewer.swarm_id = l.swarm_id) AS resources`);
type ListedRow = Omit<ShareLinkRow, 'user_id' | 'hash' | 'attempt'> & { resources: number };

/** A link that can be used. */
type OpenLink = Omit<ShareLinkRow, 'name' | 'hash' | 'attempt'>;
/** Links whose owners are not disabled. One of a swarm ends with a handover of the swarm. */
const openLinks = raw(`share_links l JOIN "user" u ON u.username = l.user_id AND u.disabled_at IS NULL`);

interface ChosenLink {
  id: string;
  shown: Shown;
  userId: string;
}

const codeBytes = 24;
/** The longest text that is hashed: everybody can send one. */
const codeLength = 64;
const hashOf = (code: string): Uint8Array => createHash('sha256').update(code.slice(0, codeLength)).digest();

export const isOfSwarm = (shown: Shown): shown is { swarmId: string } => 'swarmId' in shown;

/** SQL: the link `l` shows this. */
const shows = (shown: Shown): Sql =>
  isOfSwarm(shown) ? sql`l.swarm_id = ${shown.swarmId}` : sql`l.resource_id = ${shown.resourceId}`;

const sharedColumns = (shown: Shown): Sql =>
  raw(`r.id, r.name, r.machine_type, r.longitude, r.latitude, r.accuracy, ${locatedAt} AS at,
    ${isOfSwarm(shown) ? 'm.ends_at' : 'NULL AS ends_at'}`);

/** SQL: the devices `r` that links show, up to and with the condition. */
const sharedDevices = (shown: Shown): Sql =>
  isOfSwarm(shown)
    ? sql`memberships m JOIN resources r ON r.id = m.resource_id
        WHERE m.swarm_id = ${shown.swarmId} AND m.shown_by_links = 1 AND ${raw(isOpen('m'))}`
    : sql`resources r WHERE r.id = ${shown.resourceId}`;

/** Ends the open links among `which`, and notes it. `how`: by the user, or by the next request to create one. */
function endOf(options: Omit<ChosenLink, 'id'> & { at: string; which: Sql; how: 'ended' | 'replaced' }) {
  const { shown, userId, at, which, how } = options;
  const kind = isOfSwarm(shown) ? (`swarm.share_link_${how}` as const) : (`resource.link_${how}` as const);
  const open = sql`${which} AND ${shows(shown)} AND l.user_id = ${userId} AND l.expires_at > ${at}`;
  return [shareLinkActivity({ kind, at, userId, open }), sql`DELETE FROM share_links AS l WHERE ${open}`] as const;
}

/** `pageUrl`: the page of a link, without its code. `viewersOf`: how many look at it now. */
export function createShareLinks({
  db,
  pageUrl,
  viewersOf,
  now,
}: {
  db: Database;
  pageUrl: string;
  viewersOf: (id: string) => number;
  now: () => Date;
}) {
  const time = () => now().toISOString();

  const linkOf = (row: ListedRow): ShareLink => ({
    id: row.id,
    ...(row.resource_id !== null && { resource_id: row.resource_id }),
    ...(row.swarm_id !== null && { swarm_id: row.swarm_id, resources: row.resources }),
    name: row.name,
    shows_track: row.shows_track === 1,
    expires_at: row.expires_at,
    created_at: row.created_at,
    ...(row.opened_at !== null && { opened_at: row.opened_at }),
    viewers: viewersOf(row.id),
  });

  /** Those that are open. What is seen to have ended is deleted, so that it stays ended if the clock is set back. */
  function openOf<Row extends Pick<ShareLinkRow, 'id' | 'expires_at'>>(rows: readonly Row[]): Row[] {
    const at = time();
    const ended = rows.filter(({ expires_at }) => expires_at <= at).map(({ id }) => id);
    if (ended.length > 0)
      db.write([
        sql`DELETE FROM share_links WHERE id IN (SELECT value FROM elements(${JSON.stringify(ended)})) AND expires_at <= ${at}`,
      ]).catch(() => {});
    return rows.filter(({ expires_at }) => expires_at > at);
  }

  async function readShared(query: Sql): Promise<SharedNow> {
    const [shared] = await db.read<SharedNow>({ ...query, shape: sharedNow(null) });
    return shared!;
  }

  /** The link, if it is open. */
  async function read({ id, shown }: Omit<ChosenLink, 'userId'>): Promise<ShareLink | undefined> {
    const [row] = openOf(
      await db.read<ListedRow>(sql`SELECT ${listedColumns} FROM share_links l WHERE l.id = ${id} AND ${shows(shown)}`),
    );
    return row && linkOf(row);
  }

  return {
    read,

    /** The open links of a device or a swarm, oldest first. */
    async list(shown: Shown): Promise<ShareLink[]> {
      const rows = await db.read<ListedRow>(
        sql`SELECT ${listedColumns} FROM share_links l WHERE ${shows(shown)}
          ORDER BY l.created_at, l.id`,
      );
      return openOf(rows).map(linkOf);
    },

    /**
     * Returns the link with its address, which nobody can read again. The ended ones of the user make room. What an earlier request of the
     * same attempt has created ends: its answer was lost.
     */
    async create({ id, shown, userId, body }: ChosenLink & { body: ShareLinkCreate }) {
      const at = time();
      const code = randomBytes(codeBytes).toString('base64url');
      const { attempt = null } = body;
      const [resourceId, swarmId] = isOfSwarm(shown) ? [null, shown.swarmId] : [shown.resourceId, null];
      const written = await db.write([
        lockUser(userId),
        {
          ...(isOfSwarm(shown)
            ? sql`SELECT 1 FROM swarms WHERE id = ${shown.swarmId} AND user_id = ${userId} FOR SHARE`
            : sql`SELECT 1 FROM resources WHERE id = ${shown.resourceId} AND user_id = ${userId} FOR SHARE`),
          orFail: 'not yours',
        },
        sql`DELETE FROM share_links WHERE user_id = ${userId} AND expires_at <= ${at}`,
        ...(attempt === null ? [] : endOf({ shown, userId, at, which: sql`l.attempt = ${attempt}`, how: 'replaced' })),
        {
          ...sql`INSERT INTO share_links (id, user_id, resource_id, swarm_id, name, hash, shows_track, expires_at, created_at, attempt)
            SELECT ${id}, ${userId}, ${resourceId}, ${swarmId}, ${body.name}, ${hashOf(code)},
              CAST(${body.shows_track ? 1 : 0} AS integer), ${body.expires_at}, ${at}, ${attempt}
            WHERE (SELECT count(*) FROM share_links WHERE user_id = ${userId}) < CAST(${shareLinkLimits.open} AS bigint)`,
          orFail: 'too many',
        },
        {
          ...sql`SELECT 1 WHERE (SELECT count(*) FROM share_links WHERE swarm_id = ${swarmId}) <= CAST(${shareLinkLimits.openOfSwarm} AS bigint)`,
          orFail: 'too many of swarm',
        },
        shareLinkActivity({
          kind: isOfSwarm(shown) ? 'swarm.share_link_created' : 'resource.link_created',
          userId,
          at,
          open: sql`l.id = ${id}`,
        }),
        // Read in the write. Afterwards, the next request of this attempt may have ended it, and to begin again would end the link of that request.
        { ...sql`SELECT ${listedColumns} FROM share_links l WHERE l.id = ${id}`, isResult: true },
      ]);
      if (!written.ok) return written.failed;
      return { ...linkOf(firstRow<ListedRow>(written.rows)), url: `${pageUrl}#${code}` };
    },

    /** Returns false if it is not open. */
    async setEnd({ id, shown, userId, expiresAt }: ChosenLink & { expiresAt: string }): Promise<boolean> {
      const changed: Statement<'no link'> = {
        ...sql`UPDATE share_links AS l SET expires_at = ${expiresAt} WHERE l.id = ${id} AND ${shows(shown)}
          AND l.user_id = ${userId} AND l.expires_at > ${time()}`,
        user: userId,
        orFail: 'no link',
      };
      return (await db.write([changed])).ok;
    },

    /** Returns false if it is not open. */
    async end({ id, shown, userId }: ChosenLink): Promise<boolean> {
      const [noted, ended] = endOf({ shown, userId, at: time(), which: sql`l.id = ${id}`, how: 'ended' });
      return (await db.write([noted, { ...ended, user: userId, orFail: 'no link' }])).ok;
    },

    /** The open link of a code. Any other text takes the same time. */
    async ofCode(code: string): Promise<OpenLink | undefined> {
      const found = await db.read<OpenLink>(
        sql`SELECT l.id, l.user_id, l.resource_id, l.swarm_id, l.shows_track, l.expires_at, l.created_at, l.opened_at FROM ${openLinks}
          WHERE l.hash = ${hashOf(code)}`,
      );
      return openOf(found)[0];
    },

    /** A guest has seen this link end. */
    noteEnd: (link: OpenLink): void => void openOf([link]),

    /** Notes that somebody has opened it, once a minute. It is shown also if this cannot be written. */
    noteOpened({ id, user_id, opened_at }: OpenLink): void {
      const at = now();
      const before = new Date(at.getTime() - minuteMs).toISOString();
      if (opened_at !== null && opened_at > before) return;
      const noted = sql`UPDATE share_links SET opened_at = ${at.toISOString()}
        WHERE id = ${id} AND (opened_at IS NULL OR opened_at <= ${before})`;
      db.write([{ ...noted, user: user_id }]).catch(() => {});
    },

    /**
     * What there is now of one moment: which of these links are open, and which of these devices links of this device or swarm show. One
     * statement reads both, so that nothing is shown that was written after the end of a link or of a membership.
     */
    async sharedNow({
      shown,
      links,
      only,
    }: {
      shown: Shown;
      links: readonly string[];
      only: readonly string[];
    }): Promise<SharedNow> {
      return readShared(sql`SELECT ${sharedColumns(shown)}, NULL AS link, NULL AS expires_at FROM ${sharedDevices(shown)}
          AND r.id IN (SELECT value FROM elements(${JSON.stringify(only)}))
        UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, l.id, l.expires_at FROM ${openLinks}
          WHERE l.id IN (SELECT value FROM elements(${JSON.stringify(links)})) AND l.expires_at > ${time()}`);
    },

    /** The next members that links of the swarm show, by their ids, and no more than `most`. */
    async sharedAfter({ swarmId, after, most }: { swarmId: string; after: string; most: number }): Promise<SharedNow> {
      const shown = { swarmId };
      return readShared(sql`SELECT ${sharedColumns(shown)}, NULL AS link, NULL AS expires_at FROM ${sharedDevices(shown)}
          AND m.resource_id > ${after} ORDER BY m.resource_id LIMIT ${most}`);
    },

    /** Deletes those that have ended. */
    async purge(): Promise<void> {
      await db.write([sql`DELETE FROM share_links WHERE expires_at <= ${time()}`]);
    },
  };
}
