import { join, listOf, sql, type Statement } from '../store/statement.ts';

/** Comes after the statement that takes a way to sign in from a user: it fails the write if that was the last one. */
export type HasWayIn = (userName: string) => Statement<'last way'>;

/** What this server accepts. What it does not accept is no way in. */
export function createHasWayIn({
  passwords,
  passkeys,
  providers,
}: {
  passwords: boolean;
  passkeys: boolean;
  providers: readonly string[];
}): HasWayIn {
  const byPassword = sql`EXISTS
    (SELECT 1 FROM account a WHERE a."userId" = u.id AND a."providerId" = 'credential' AND a.password IS NOT NULL)`;
  const byPasskey = sql`EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.username)`;
  const byProvider = sql`EXISTS
    (SELECT 1 FROM identities i WHERE i.user_id = u.username AND i.provider IN (${listOf(providers)}))`;
  const ways = [
    ...(passwords ? [byPassword] : []),
    ...(passkeys ? [byPasskey] : []),
    ...(providers.length > 0 ? [byProvider] : []),
  ];
  const anyWay = ways.length > 0 ? join(ways, ' OR ') : sql`false`;
  return (userName) => ({
    ...sql`SELECT 1 FROM "user" u WHERE u.username = ${userName} AND (${anyWay})`,
    orFail: 'last way',
  });
}
