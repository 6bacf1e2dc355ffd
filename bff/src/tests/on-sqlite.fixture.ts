import { env } from 'node:process';
import { describe, test } from 'vitest';
import { isOnPostgres } from '../core/store/store.fixture.ts';

/** Registers nothing: a skipped test counts as failed. */
const nothing = Object.assign(() => {}, { each: () => () => {} });

/**
 * `test` and `describe` of what a second store would only repeat: packets, sockets, memory, the clock, and combinations of statements
 * that other tests run on PostgreSQL.
 */
export const testOnSqlite = isOnPostgres ? (nothing as unknown as typeof test) : test;
export const describeOnSqlite = isOnPostgres ? (nothing as unknown as typeof describe) : describe;

/** In a file for both stores: what `npm test` runs on SQLite only, as files with `in the long run` in their first line. */
const isLeftOut = isOnPostgres && env['SWARMDECK_SHORT'] === '1';
export const testOnBothIfLong = isLeftOut ? (nothing as unknown as typeof test) : test;
export const describeOnBothIfLong = isLeftOut ? (nothing as unknown as typeof describe) : describe;
