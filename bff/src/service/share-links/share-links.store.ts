/** Links that show a device to people without an account, until their end. Of a code, only the hash is stored. */
import { createHash, randomBytes } from 'node:crypto';
import type { SharedDevice, ShareLink, ShareLinkCreate } from '../../contract.ts';
import { shareLinkLimits } from '../../limits/part-limits.ts';
import type { Database } from '../../store/database.ts';
import { raw, sql, type Statement } from '../../store/statement.ts';
import { lockUser } from '../../store/user-locks.ts';
import type { ShareLinkRow } from '../../store/row-types.ts';
import { shareLinkActivity } from '../activity/activity.store.ts';
import { locatedAt } from '../resources/position-reports.ts';

const columns = raw('l.id, l.resource_id, l.name, l.shows_track, l.expires_at, l.created_at');
type ListedRow = Pick<ShareLinkRow, 'id' | 'resource_id' | 'name' | 'shows_track' | 'expires_at' | 'created_at'>;
/** Links whose owners are not disabled. */
const openLinks = raw('share_links l JOIN "user" u ON u.username = l.user_id AND u.disabled_at IS NULL');

/** A link that can be used. */
export type OpenLink = Pick<
  ShareLinkRow,
  'id' | 'user_id' | 'resource_id' | 'shows_track' | 'expires_at' | 'created_at'
>;

interface SharedNow {
  expires_at: string;
  device: SharedDevice;
}

interface SharedRow extends Pick<SharedDevice, 'name' | 'machine_type' | 'accuracy'> {
  id: string;
  expires_at: string;
  longitude: number | null;
  latitude: number | null;
  at: string;
}

interface ChosenLink {
  id: string;
  resourceId: string;
  userId: string;
}

const codeBytes = 24;
/** The longest text that is hashed: everybody can send one. */
const codeLength = 64;
const hashOf = (code: string): Uint8Array => createHash('sha256').update(code.slice(0, codeLength)).digest();

export type ShareLinks = ReturnType<typeof createShareLinks>;

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
    resource_id: row.resource_id,
    name: row.name,
    shows_track: row.shows_track === 1,
    expires_at: row.expires_at,
    created_at: row.created_at,
    viewers: viewersOf(row.id),
  });

  /** The link, if it is open. */
  async function read({ id, resourceId }: Omit<ChosenLink, 'userId'>): Promise<ShareLink | undefined> {
    const [row] = await db.read<ListedRow>(
      sql`SELECT ${columns} FROM share_links l WHERE l.id = ${id} AND l.resource_id = ${resourceId} AND l.expires_at > ${time()}`,
    );
    return row && linkOf(row);
  }

  return {
    read,

    /** The open links of a device, oldest first. */
    async ofResource(resourceId: string): Promise<ShareLink[]> {
      const rows = await db.read<ListedRow>(
        sql`SELECT ${columns} FROM share_links l WHERE l.resource_id = ${resourceId} AND l.expires_at > ${time()}
          ORDER BY l.created_at, l.id`,
      );
      return rows.map(linkOf);
    },

    /** Returns the link with its address, which nobody can read again. The ended ones of the user make room. */
    async create(options: ChosenLink & { body: ShareLinkCreate }) {
      const { id, resourceId, userId, body } = options;
      const at = time();
      const code = randomBytes(codeBytes).toString('base64url');
      const row = {
        id,
        resource_id: resourceId,
        name: body.name,
        shows_track: body.shows_track ? 1 : 0,
        expires_at: body.expires_at,
        created_at: at,
      };
      const written = await db.write([
        lockUser(userId),
        {
          ...sql`SELECT 1 FROM resources WHERE id = ${resourceId} AND user_id = ${userId} FOR SHARE`,
          orFail: 'no resource',
        },
        sql`DELETE FROM share_links WHERE user_id = ${userId} AND expires_at <= ${at}`,
        {
          ...sql`INSERT INTO share_links (id, user_id, resource_id, name, hash, shows_track, expires_at, created_at)
            SELECT ${id}, ${userId}, ${resourceId}, ${row.name}, ${hashOf(code)}, CAST(${row.shows_track} AS integer), ${row.expires_at}, ${at}
            WHERE (SELECT count(*) FROM share_links WHERE user_id = ${userId}) < CAST(${shareLinkLimits.open} AS bigint)`,
          orFail: 'too many',
        },
        shareLinkActivity({ kind: 'resource.link_created', userId, at, id }),
      ]);
      return written.ok ? { ...linkOf(row), url: `${pageUrl}#${code}` } : written.failed;
    },

    /** Returns false if it is not open, or ends before that. */
    async shorten({ id, resourceId, userId, expiresAt }: ChosenLink & { expiresAt: string }): Promise<boolean> {
      const shortened: Statement<'no link'> = {
        ...sql`UPDATE share_links SET expires_at = ${expiresAt} WHERE id = ${id} AND resource_id = ${resourceId}
          AND user_id = ${userId} AND expires_at > ${time()} AND expires_at >= ${expiresAt}`,
        user: userId,
        orFail: 'no link',
      };
      return (await db.write([shortened])).ok;
    },

    /** Returns false if it is not open. */
    async end({ id, resourceId, userId }: ChosenLink): Promise<boolean> {
      const ended: Statement<'no link'> = {
        ...sql`DELETE FROM share_links WHERE id = ${id} AND resource_id = ${resourceId} AND user_id = ${userId}
          AND expires_at > ${time()}`,
        user: userId,
        orFail: 'no link',
      };
      const noted = shareLinkActivity({ kind: 'resource.link_ended', userId, at: time(), id });
      return (await db.write([noted, ended])).ok;
    },

    /** The open link of a code. Any other text takes the same time. */
    async ofCode(code: string): Promise<OpenLink | undefined> {
      const [link] = await db.read<OpenLink>(
        sql`SELECT l.id, l.user_id, l.resource_id, l.shows_track, l.expires_at, l.created_at FROM ${openLinks}
          WHERE l.hash = ${hashOf(code)} AND l.expires_at > ${time()}`,
      );
      return link;
    },

    /** Of those that are open: their ends, and their devices as guests see them. By id, and of one moment. */
    async sharedNow(ids: readonly string[]): Promise<ReadonlyMap<string, SharedNow>> {
      const rows = await db.read<SharedRow>(
        sql`SELECT l.id, l.expires_at, r.name, r.machine_type, r.longitude, r.latitude, r.accuracy, ${raw(locatedAt)} AS at
          FROM ${openLinks} JOIN resources r ON r.id = l.resource_id
          WHERE l.id IN (SELECT value FROM elements(${JSON.stringify(ids)})) AND l.expires_at > ${time()}`,
      );
      return new Map(rows.map((row) => [row.id, sharedIn(row)]));
    },

    /** Deletes those that have ended. */
    async purge(): Promise<void> {
      await db.write([sql`DELETE FROM share_links WHERE expires_at <= ${time()}`]);
    },
  };
}

function sharedIn({ expires_at, name, machine_type, longitude, latitude, accuracy, at }: SharedRow): SharedNow {
  const position = longitude === null || latitude === null ? null : { longitude, latitude };
  return { expires_at, device: { name, machine_type, position, accuracy, located_at: at === '' ? null : at } };
}
