import type { JoinLink, JoinLinkCreate } from '../../contract.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import { linkLimits } from './limits.ts';
import type { Database } from '../../core/store/database.ts';
import type { Secrets } from '../../core/store/secret.ts';
import type { JoinLinkRow } from '../../core/store/row-types.ts';
import { raw, type Statement } from '../../core/store/statement.ts';
import { isBlocked } from '../../core/store/visibility.ts';
import { joinLinkActivity } from '../../core/activity/activity.store.ts';
import { createdText, type Claim, type CreatedRecord } from '../../core/endpoint/idempotency.store.ts';
import { createLinkCodes } from './link-codes.ts';
import { lockIfAllowed, mayStill } from '../../core/endpoint/write-checks.store.ts';

const columns = 'id, swarm_id, name, resource_type, expires_at, max_resources, joined, created_at, ended_at';
const select = `SELECT ${columns} FROM join_links WHERE id = $1`;
/** The resource $3 has joined by the link $1 before, and keeps its place. */
const hasPlace = 'EXISTS (SELECT 1 FROM invitations WHERE link_id = $1 AND resource_id = $3)';
/** A condition with the time as $2, the resource that joins as $3, and its user, whom the swarm may block, as $4. */
const isUsable = `ended_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
  AND (max_resources IS NULL OR joined < max_resources OR ${hasPlace})
  AND NOT EXISTS (SELECT 1 FROM swarms s WHERE s.id = join_links.swarm_id AND ${isBlocked(raw('$4')).sql})`;

export type JoinLinks = ReturnType<typeof createJoinLinks>;

/** Links by which users join a swarm. `pageUrl`: the page of a link, without its code. */
export function createJoinLinks({
  db,
  secrets,
  pageUrl,
  now,
}: {
  db: Database;
  secrets: Secrets;
  pageUrl: string;
  now: () => Date;
}) {
  const codes = createLinkCodes(secrets);

  const linkOf = (row: JoinLinkRow): JoinLink => {
    const { expires_at, max_resources, ended_at } = row;
    return {
      id: row.id,
      swarm_id: row.swarm_id,
      name: row.name,
      resource_type: row.resource_type,
      ...(expires_at !== null && { expires_at }),
      ...(max_resources !== null && { max_resources }),
      joined: row.joined,
      url: pageUrl + codes.codeOf(row.id),
      created_at: row.created_at,
      ...(ended_at !== null && { ended_at }),
    };
  };

  /** What is seen to have ended is marked, so that it stays ended if the clock is set back. */
  function noteEnds(rows: readonly JoinLinkRow[]): void {
    const at = now().toISOString();
    const isPast = ({ ended_at, expires_at }: JoinLinkRow) =>
      ended_at === null && expires_at !== null && expires_at <= at;
    const ids = rows.filter(isPast).map(({ id }) => id);
    if (ids.length === 0) return;
    const sql = `UPDATE join_links SET ended_at = greatest(created_at, expires_at)
      WHERE id IN (SELECT value FROM elements($1)) AND ended_at IS NULL AND expires_at <= $2`;
    db.write([{ sql, params: [JSON.stringify(ids), at] }]).catch(() => {});
  }

  async function findUsable(use: {
    id: string;
    userId: string;
    resourceId?: string;
  }): Promise<JoinLinkRow | undefined> {
    const params = [use.id, now().toISOString(), use.resourceId ?? null, use.userId];
    const sql = `SELECT ${columns}, CASE WHEN ${isUsable} THEN 1 ELSE 0 END AS is_usable FROM join_links WHERE id = $1`;
    const rows = await db.read<JoinLinkRow & { is_usable: number }>({ sql, params });
    noteEnds(rows);
    return rows.find(({ is_usable }) => is_usable === 1);
  }

  return {
    passOf: codes.passOf,

    async read(id: string): Promise<JoinLink | undefined> {
      const rows = await db.read<JoinLinkRow>({ sql: select, params: [id] });
      noteEnds(rows);
      return rows[0] && linkOf(rows[0]);
    },

    /** Oldest first. */
    async ofSwarm(swarmId: string): Promise<JoinLink[]> {
      const rows = await db.read<JoinLinkRow>({
        sql: `SELECT ${columns} FROM join_links WHERE swarm_id = $1 ORDER BY created_at, id`,
        params: [swarmId],
      });
      noteEnds(rows);
      return rows.map(linkOf);
    },

    /** The link of a code, if this user can use it. It is also read for a forged code, so that all take the same time. */
    async ofCode({ code, userId }: { code: string; userId: string }): Promise<JoinLinkRow | undefined> {
      const { id, isGenuine } = codes.read(code);
      const row = await findUsable({ id, userId });
      return isGenuine ? row : undefined;
    },

    /** The link of a user's pass, with which this resource joins. */
    async ofPass(holder: {
      id: string;
      userId: string;
      pass: string;
      resourceId: string;
    }): Promise<JoinLinkRow | undefined> {
      const row = await findUsable(holder);
      return idFormat.test(holder.id) && codes.isPass(holder) ? row : undefined;
    },

    async create(options: {
      id: string;
      swarmId: string;
      userId: string;
      body: JoinLinkCreate;
      claim: Claim;
    }): Promise<CreatedRecord | 'not allowed' | 'too many'> {
      const { id, swarmId, userId, body, claim } = options;
      const { name, resource_type, expires_at = null, max_resources = null } = body;
      const at = now().toISOString();
      const written = await db.write([
        ...lockIfAllowed({ operation: 'createJoinLink', swarmId, userId }),
        {
          sql: `INSERT INTO join_links (id, swarm_id, name, resource_type, expires_at, max_resources, created_at)
                SELECT $1, $2, $3, $4, $5, $6, $7
                WHERE (SELECT count(*) FROM join_links WHERE swarm_id = $2 AND ended_at IS NULL) < $8`,
          params: [id, swarmId, name, resource_type, expires_at, max_resources, at, linkLimits.open],
          orFail: 'too many',
        },
        joinLinkActivity({ kind: 'swarm.link_created', actor: userId, at, id }),
        ...claim(() => createdText({ id, at })),
      ]);
      return written.ok ? { id, at } : written.failed;
    },

    newLink: ({ id, swarmId, body, at }: { id: string; swarmId: string; body: JoinLinkCreate; at: string }): JoinLink =>
      linkOf({
        id,
        swarm_id: swarmId,
        name: body.name,
        resource_type: body.resource_type,
        expires_at: body.expires_at ?? null,
        max_resources: body.max_resources ?? null,
        joined: 0,
        created_at: at,
        ended_at: null,
      }),

    /** Ending it again changes nothing. */
    async end({ id, swarmId, userId }: Record<'id' | 'swarmId' | 'userId', string>) {
      const written = await db.write([
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 FOR SHARE', params: [swarmId] },
        mayStill({ operation: 'endJoinLink', swarmId, userId }),
        joinLinkActivity({ kind: 'swarm.link_ended', actor: userId, at: now().toISOString(), id }),
        {
          sql: `UPDATE join_links SET ended_at = coalesce(ended_at, greatest(created_at, $3))
                WHERE id = $1 AND swarm_id = $2`,
          params: [id, swarmId, now().toISOString()],
          orFail: 'no link',
        },
        {
          sql: `DELETE FROM join_links WHERE id IN (SELECT id FROM join_links
                  WHERE swarm_id = $1 AND ended_at IS NOT NULL ORDER BY ended_at DESC, id DESC
                  LIMIT ${linkLimits.open} OFFSET ${linkLimits.ended})`,
          params: [swarmId],
        },
      ]);
      return written.ok || written.failed;
    },

    /**
     * Takes a place for a resource that joins. One that came by this link before keeps its place. The caller has locked
     * the swarm, so that nobody else takes the last place.
     */
    takePlace: (use: Record<'id' | 'resourceId' | 'userId', string>): Statement<'no link'> => ({
      sql: `UPDATE join_links SET joined = joined + CASE WHEN ${hasPlace} THEN 0 ELSE 1 END
            WHERE id = $1 AND ${isUsable}`,
      params: [use.id, now().toISOString(), use.resourceId, use.userId],
      orFail: 'no link',
    }),
  };
}
