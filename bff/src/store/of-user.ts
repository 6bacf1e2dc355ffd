import { sql, type Sql } from './statement.ts';

/** The rows of a user in the tables that know users by their id. */
export const ofUser = (userName: string): Sql => sql`"userId" = (SELECT id FROM "user" WHERE username = ${userName})`;
