import { join, listOf, sql, type Statement } from '../store/statement.ts';

/** Comes after the statement that takes a way to sign in from a user: it fails the write if that was the last one. */
export type HasWayIn = (userName: string) => Statement<'last way'>;

/** `passwords`, `providers`: what this server accepts. What it does not accept is no way in. */
export function createHasWayIn({
  passwords,
  providers,
}: {
  passwords: boolean;
  providers: readonly string[];
}): HasWayIn {
  const byPassword = sql`OR EXISTS
    (SELECT 1 FROM account a WHERE a."userId" = u.id AND a."providerId" = 'credential' AND a.password IS NOT NULL)`;
  const byProvider = sql`OR EXISTS
    (SELECT 1 FROM identities i WHERE i.user_id = u.username AND i.provider IN (${listOf(providers)}))`;
  const others = join([...(passwords ? [byPassword] : []), ...(providers.length > 0 ? [byProvider] : [])], ' ');
  return (userName) => ({
    ...sql`SELECT 1 FROM "user" u WHERE u.username = ${userName} AND (
        EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.username) ${others})`,
    orFail: 'last way',
  });
}
