import type { OperatedUser, ServerStats, UserPage } from '../../contract.ts';
import { operatorActor } from '../../core/limits/field-rules.ts';
import type { FairQueue, Requester } from '../../core/limits/fair-queue.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import { Problem } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import type { SessionLives, SignIn } from '../../core/accounts/sign-in.ts';
import type { Database } from '../../core/store/database.ts';
import { hasAccount } from '../../core/store/has-account.ts';
import { keyKinds } from '../../core/store/key-kinds.ts';
import { ofUser } from '../../core/store/of-user.ts';
import { allOf, raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';

const mostListed = 100;
const whyNoLink = {
  'is operator': 'user.is_operator',
  'no operator': 'operator.required',
  'session ended': 'session.missing',
} as const;
const endSessions = (userName: string) => sql`DELETE FROM session WHERE ${ofUser(userName)}`;
const columns = raw(`u.username AS user_id, u."createdAt" AS created_at, u.disabled_at, nullif(u.role, '') AS role,
  nullif(greatest(coalesce((SELECT max(s."updatedAt") FROM session s WHERE s."userId" = u.id), ''),
    coalesce((SELECT max(k.last_used_on) FROM api_keys k WHERE k.user_id = u.username), '')), '') AS active_at,
  coalesce((SELECT g.amount FROM usage g WHERE g.user_id = u.username AND g.kind = 'resources'), 0) AS resources`);

export type UserRole = 'operator' | 'none';

export interface UserQuery {
  q?: string;
  /** True for only the disabled users. */
  disabled?: boolean;
  after?: string;
  limit?: number;
}

export type OperatedUsers = ReturnType<typeof createOperatedUsers>;

/** The users of the server, as operators read and change them. */
export function createOperatedUsers({
  db,
  queue,
  activityOf,
  now,
}: {
  db: Database;
  queue: FairQueue;
  activityOf: Service['activity']['ofAccount'];
  now: () => Date;
}) {
  const readsOf = createLongReads({ db, queue });

  return {
    /** Returns a page of users, by name. `q`: a part of the name; `after`: the name before the page. */
    async list(query: UserQuery & { requester: Requester }): Promise<UserPage> {
      const { requester, q, disabled = false, after = '', limit = mostListed } = query;
      const matching: Sql[] = [raw(hasAccount)];
      if (disabled) matching.push(raw('u.disabled_at IS NOT NULL'));
      if (q !== undefined) matching.push(sql`strpos(u.username, ${q.toLowerCase()}) > 0`);
      const items = await readsOf(requester).read<OperatedUser>(
        sql`SELECT ${columns} FROM "user" u WHERE ${allOf([...matching, sql`u.username > ${after}`])}
            ORDER BY u.username LIMIT ${limit + 1}`,
      );
      const [counted] = await readsOf(requester).read<{ total: number }>(
        sql`SELECT count(*) AS total FROM "user" u WHERE ${allOf(matching)}`,
      );
      const shown = items.slice(0, limit);
      const next = items.length > limit ? shown.at(-1)!.user_id : null;
      return { items: shown, next, total: counted!.total };
    },

    /** Undefined if there is no such user. */
    async find(userName: string): Promise<(OperatedUser & { sessions: number }) | undefined> {
      const [found] = await db.read<OperatedUser & { sessions: number }>(
        sql`SELECT ${columns}, (SELECT count(*) FROM session s WHERE s."userId" = u.id AND s."expiresAt" > ${now().toISOString()})
              AS sessions FROM "user" u WHERE u.username = ${userName}`,
      );
      return found;
    },

    async isOperator(userName: string): Promise<boolean> {
      const found = await db.read(sql`SELECT 1 FROM "user" WHERE username = ${userName} AND role = 'operator'`);
      return found.length > 0;
    },

    /** Undefined if there is no such device key. */
    async ownerOfKey(id: string): Promise<string | undefined> {
      const [key] = await db.read<{ user_id: string }>(
        sql`SELECT user_id FROM api_keys WHERE id = ${id} AND kind = ${keyKinds.own}`,
      );
      return key?.user_id;
    },

    /** Undefined if there is no such device. */
    async ownerOfDevice(id: string): Promise<string | undefined> {
      const [device] = await db.read<{ user_id: string }>(sql`SELECT user_id FROM resources WHERE id = ${id}`);
      return device?.user_id;
    },

    /**
     * In one write. The user's streams end within a second, and actions are paused; those that are being filled or
     * uploaded are deleted. A session that is created meanwhile
     * is not valid, and ends when the user is enabled.
     */
    async disable(userName: string): Promise<void> {
      await db.write([
        {
          ...sql`UPDATE "user" SET disabled_at = ${now().toISOString()} WHERE username = ${userName} AND disabled_at IS NULL`,
          orFail: 'is disabled',
        },
        endSessions(userName),
        sql`UPDATE actions SET state = 'paused' WHERE user_id = ${userName} AND state IN ('pending', 'running')`,
        sql`DELETE FROM actions WHERE user_id = ${userName} AND state = 'uploading'`,
        activityOf({ kind: 'account.disabled', userId: userName, actor: operatorActor }),
      ]);
    },

    /** Keys are valid again; sessions are not. */
    async enable(userName: string): Promise<void> {
      await db.write([
        {
          ...sql`UPDATE "user" SET disabled_at = NULL WHERE username = ${userName} AND disabled_at IS NOT NULL`,
          orFail: 'is enabled',
        },
        endSessions(userName),
        activityOf({ kind: 'account.enabled', userId: userName, actor: operatorActor }),
      ]);
    },

    /**
     * The entry that a link for a lost password was made. `by`: an operator of a session, who must have the role at that moment.
     * @throws Problem `user.is_operator` if an operator makes it for another one, `operator.required`, `session.missing`
     */
    async noteLink(userName: string, by?: { operator: string; lives: SessionLives }): Promise<void> {
      const conditions: Statement<keyof typeof whyNoLink>[] = by
        ? [
            {
              ...sql`SELECT 1 FROM "user" WHERE username = ${by.operator} AND role = 'operator' FOR UPDATE`,
              orFail: 'no operator',
            },
            by.lives,
            {
              ...sql`SELECT 1 FROM "user" WHERE username = ${userName} AND role <> 'operator' FOR SHARE`,
              orFail: 'is operator',
            },
          ]
        : [];
      const entry = activityOf({ kind: 'account.link_made', userId: userName, actor: operatorActor });
      const written = await db.write([...conditions, entry]);
      if (!written.ok) throw new Problem(whyNoLink[written.failed]);
    },

    /** In one write. The password alone signs the user in then. @throws Problem `totp.not_found` */
    async takeFactor(userName: string, take: SignIn['takeFactor']): Promise<void> {
      const entry = activityOf({ kind: 'account.totp_removed', userId: userName, actor: operatorActor });
      if (!(await take(userName, [endSessions(userName), entry]))) throw new Problem('user.not_found');
    },

    async setRole({ userName, role }: { userName: string; role: UserRole }): Promise<void> {
      await db.write([
        sql`UPDATE "user" SET role = ${role === 'none' ? '' : role}, role_from = NULL WHERE username = ${userName}`,
      ]);
    },

    async stats(requester: Requester): Promise<ServerStats> {
      const at = now().toISOString();
      const used = (kind: string) =>
        raw(`(SELECT coalesce(sum(amount), 0) FROM usage WHERE kind = '${kind}') AS ${kind}`);
      const [stats] = await readsOf(requester).read<Omit<ServerStats, 'at'>>(
        sql`SELECT (SELECT count(*) FROM "user" u WHERE ${raw(hasAccount)}) AS users,
              (SELECT count(*) FROM "user" u WHERE ${raw(hasAccount)} AND disabled_at IS NOT NULL) AS disabled,
              (SELECT count(DISTINCT "userId") FROM session WHERE "expiresAt" > ${at}) AS signed_in,
              ${used('resources')}, ${used('swarms')}, ${used('invitations')},
              (SELECT coalesce(sum(members), 0) FROM swarm_sizes) AS members,
              (SELECT count(*) FROM api_keys WHERE kind = ${keyKinds.own}) AS keys,
              (SELECT count(*) FROM session WHERE "expiresAt" > ${at}) AS sessions`,
      );
      return { ...stats!, at };
    },
  };
}
