/**
 * The unused pages of a database file. SQLite uses them for what is written next; those beyond a reserve go back to the file
 * system, if the file can do that: one that this version has created, or one after `swarmdeck vacuum`.
 */
import type { Space } from '../database.ts';
import type { Connection } from './connection.ts';

/** In bytes: unused space that stays, because a file that shrinks and grows again writes each page twice more. */
const leastReserve = 16 * 1024 * 1024;
const reservedPart = 0.1;
/** Pages that go back in one commit: other writes wait for some milliseconds. */
const pagesAtOnce = 256;
/** The value of `PRAGMA auto_vacuum` for incremental. */
const incremental = 2;

const numberOf = (connection: Connection, pragma: string) =>
  Number(Object.values(connection.get(`PRAGMA ${pragma}`, [])!)[0]);

export function spaceOf(connection: Connection): Space {
  const pageSize = numberOf(connection, 'page_size');
  return {
    bytes: numberOf(connection, 'page_count') * pageSize,
    unused: numberOf(connection, 'freelist_count') * pageSize,
    isGivenBack: numberOf(connection, 'auto_vacuum') === incremental,
  };
}

/** Gives some pages back, in one commit. Returns whether more are left. */
export function giveSpaceBack(connection: Connection): boolean {
  const { bytes, unused, isGivenBack } = spaceOf(connection);
  const spare = unused - Math.max(leastReserve, bytes * reservedPart);
  if (!isGivenBack || spare <= 0) return false;
  const pages = Math.min(pagesAtOnce, Math.ceil(spare / numberOf(connection, 'page_size')));
  // Not by a prepared statement, which would stop after the first page.
  connection.raw.exec(`PRAGMA incremental_vacuum(${pages})`);
  return pages === pagesAtOnce;
}
