import { chownSync, realpathSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StorageError } from '../statement.ts';
import { backUpFile, sync } from './backup.ts';
import { checkFile } from './check-file.ts';
import { openConnection } from './connection.ts';
import { lockFile } from './file-lock.ts';
import { spaceOf } from './space.ts';

const bytesFreeIn = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

/**
 * Replaces the database, which no server may use, by a copy without unused space, which gives back what is unused later. At every
 * moment one of both is in place. Blocks: it is for a process of its own. `url`: `file:///path.db`. Returns the bytes before and
 * after.
 * @throws StorageError with a sentence for the operator
 */
export function vacuumFile({ url, freeIn = bytesFreeIn }: { url: string; freeIn?: (folder: string) => number }): {
  before: number;
  after: number;
} {
  const path = realpathSync(fileURLToPath(url));
  const lock = lockFile(path);
  const copy = `${path}.vacuum`;
  try {
    checkFile(path, 'run `swarmdeck restore FILE`');
    const needed = emptyLog(path);
    const free = freeIn(dirname(path));
    if (free < needed)
      throw new StorageError(
        'full',
        `vacuum needs ${megabytes(needed)} in ${dirname(path)}, which has ${megabytes(free)}. Nothing was changed`,
      );
    const { size: before, uid, gid } = statSync(path);
    const { bytes: after } = backUpFile({ url: pathToFileURL(path).href, file: copy, givesSpaceBack: true });
    chownSync(copy, uid, gid);
    // SQLite would apply them to the new file.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    renameSync(copy, path);
    sync(dirname(path));
    return { before, after };
  } finally {
    rmSync(copy, { force: true });
    lock.release();
  }
}

/** Moves everything from the log into the file. Returns the bytes that are used. @throws StorageError if another program reads */
function emptyLog(path: string): number {
  const connection = openConnection({ path, readOnly: false });
  try {
    const { busy } = connection.get('PRAGMA wal_checkpoint(TRUNCATE)', []) as { busy: number };
    if (busy !== 0)
      throw new StorageError(
        'away',
        `${path} is in use: another program reads it, perhaps a backup. Nothing was changed`,
      );
    const { bytes, unused } = spaceOf(connection);
    return bytes - unused;
  } finally {
    connection.close();
  }
}
