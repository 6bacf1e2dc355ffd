import type { Statement } from '../store/statement.ts';

/** A user who cannot sign in, and to whom no password can be set: there is no account behind the name. */
export function addUserWithoutPassword(user: { id: string; userName: string; at: Date }): Statement {
  return {
    sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
          VALUES ($1, $2, $1 || '@people.invalid', 0, $3, $3, $2)`,
    params: [user.id, user.userName, user.at.toISOString()],
  };
}

/** Their name goes out of use only where somebody's invitations still say it. */
export function removeUserWithoutPassword(userName: string): Statement[] {
  const ofUser = (sql: string): Statement => ({ sql, params: [userName] });
  return [
    ofUser('DELETE FROM "user" WHERE username = $1'),
    ofUser(`INSERT INTO retired_names (name) SELECT $1 WHERE EXISTS (
      SELECT 1 FROM invitations WHERE "from" = $1 UNION ALL SELECT 1 FROM invitations WHERE "to" = $1)
      ON CONFLICT DO NOTHING`),
  ];
}
