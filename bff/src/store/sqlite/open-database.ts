/** The SQLite store: one file, one writer with group commit in a thread, readers beside it. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkFile } from './check-file.ts';
import { lockFile } from './file-lock.ts';
import { migrate } from './migrate.ts';
import { openConnection, openReader } from './connection.ts';
import type { Query } from '../statement.ts';
import { StorageError } from '../storage-error.ts';
import type { Database } from '../database.ts';
import { startThread } from '../thread.ts';
import { createWriter } from './writer.ts';

/**
 * Opens the database, takes it for this process, checks it and brings it up to date.
 * `url`: `file:/absolute/path.db`. `commitDelay`: milliseconds added to each commit, for measuring.
 * `report`: gets the errors of subscribers, and that a thread has ended and is started again.
 * Throws StorageError with a sentence for the operator when the file is in use, damaged or not ours.
 */
export async function openDatabase({
  url,
  commitDelay = 0,
  report = () => {},
  newestBackup = 'FILE',
}: {
  url: string;
  commitDelay?: number;
  report?: (error: unknown) => void;
  /** For the sentence about a damaged file. */
  newestBackup?: string | undefined;
}): Promise<Database> {
  const { path, lock } = await takeFile(fileURLToPath(url), newestBackup);
  const reader = openReader({ path });
  const subscribers = new Set<() => Promise<void>>();
  const writer = createWriter({ path, commitDelay, onCommit: notify, onLost: report });
  const queries = startThread<Query, unknown[]>({
    file: new URL('./read.thread.ts', import.meta.url),
    workerData: { path },
    onLost: report,
  });
  let closing: Promise<void> | undefined;

  async function notify() {
    await Promise.all([...subscribers].map(async (subscriber) => subscriber()).map((done) => done.catch(report)));
  }

  async function close() {
    await writer.close();
    await queries.stop();
    await reader.close();
    lock.release();
  }

  return {
    read: <R>(query: Query) => (query.isLong ? (queries.ask(query) as Promise<R[]>) : reader.read<R>(query)),
    write: writer.write as Database['write'],
    onCommit(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    catchUp: async () => {},
    longReads: 1,
    url: pathToFileURL(path).href,
    get alive() {
      return writer.alive && queries.alive;
    },
    measure: () => ({
      commits: writer.commits,
      threadRestarts: { writer: writer.restarts, reader: queries.restarts },
    }),
    close: () => (closing ??= close()),
  };
}

async function takeFile(givenPath: string, newestBackup: string) {
  try {
    mkdirSync(dirname(givenPath), { recursive: true });
    const path = realPathOf(givenPath);
    const lock = lockFile(path);
    try {
      checkFile(path, `run \`swarmdeck restore ${newestBackup}\``);
      bringUpToDate(path);
    } catch (error) {
      lock.release();
      throw error;
    }
    return { path, lock };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('away', `${givenPath} cannot be used as the database: ${(error as Error).message}`);
  }
}

function bringUpToDate(path: string) {
  const connection = openConnection({ path, readOnly: false });
  try {
    migrate({ connection });
  } finally {
    connection.close();
  }
}

/** One file has one lock, whatever links lead to it. */
export function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}
