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
