/**
 * Whether `"user" u` is a user of the server, with a password or without one (who signs in by a provider). The partners of a demo
 * are not: nobody can sign in as one.
 */
export const hasAccount = `EXISTS (SELECT 1 FROM account a WHERE a."userId" = u.id)`;
