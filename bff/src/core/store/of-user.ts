import { raw, sql, type Sql } from './statement.ts';

/** The rows of a user in the tables that know users by their id. */
export const ofUser = (userName: string): Sql => sql`"userId" = (SELECT id FROM "user" WHERE username = ${userName})`;

/**
 * SQL: rows that are found by their ids belong to the user. `|| ''` prevents the use of an index of users: SQLite assumes that a user
 * has ten devices, and would read all of them.
 */
export const belongsTo = (userName: string, column = 'user_id'): Sql => sql`${raw(column)} || '' = ${userName}`;
