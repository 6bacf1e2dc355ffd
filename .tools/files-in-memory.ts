import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** In bytes. The tests use less than one. */
const enough = 4 * 2 ** 30;

/**
 * Lets this process and what it starts create temporary files in memory if there is enough of it. The tests create
 * thousands of databases, which takes a tenth less processor time than on a disk.
 */
export function keepFilesInMemory() {
  // each thread of a test compiles the server's code; on the disk, because it stays after the tests
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'swarmdeck-compile-cache');
  if (process.env.TMPDIR === undefined && isUsable()) process.env.TMPDIR = memory;
}

/** Programs must be allowed to run there: the tests start a copy of PostgreSQL. */
function isUsable() {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  if (!/ \/dev\/shm tmpfs (?!\S*noexec)/.test(mounts)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > enough;
}
