/** Regular backups of a SQLite database into a folder, by the command `backup` as a process of its own. */
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BackupPlan } from '../../core/config/config.ts';
import { minuteMs } from '../../core/limits/durations.ts';
import type { Log } from '../../core/log.ts';

interface BackupStatus {
  /** The newest complete backup in the folder, and when it was begun. */
  last: { file: string; at: Date } | undefined;
  /** Why the last attempt of this process failed; undefined if it succeeded or there was none. */
  failure: string | undefined;
}

/** The hourly job may come a little early. */
const tolerance = 30 * minuteMs;
const nameFormat = /^swarmdeck-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z\.db(\.part)?$/;
const nameAt = (time: Date) => `swarmdeck-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
const run = promisify(execFile);

/** Newest first. Without other files of the folder. */
async function filesIn(folder: string) {
  const files = (await readdir(folder)).toSorted().toReversed();
  return files.flatMap((name) => {
    const [, hour, minute, second, part] = nameFormat.exec(name) ?? [];
    if (hour === undefined) return [];
    return { file: join(folder, name), at: new Date(`${hour}:${minute}:${second}Z`), isPart: part !== undefined };
  });
}

/** The newest complete backup; undefined if there is none, or if the folder cannot be read. */
export async function findNewestBackup(folder: string): Promise<BackupStatus['last']> {
  const newest = (await filesIn(folder).catch(() => [])).find(({ isPart }) => !isPart);
  return newest && { file: newest.file, at: newest.at };
}

/** `plan`: undefined if there are no regular backups. `program`: the operator's commands, a file for Node. */
export function createBackups(options: { plan: BackupPlan | undefined; program: string; log: Log; now: () => Date }) {
  const { plan, program, log, now } = options;
  const closing = new AbortController();
  let failure: string | undefined;
  let running: Promise<void> | undefined;

  async function make({ folder, keep }: BackupPlan) {
    const at = now();
    const file = join(folder, nameAt(at));
    try {
      // Removes the parts of processes that ended during a backup. The file lock lets only one server use the database.
      for (const { file, isPart } of await filesIn(folder)) if (isPart) await rm(file);
      await run(process.execPath, [program, 'backup', file], { signal: closing.signal });
      failure = undefined;
      log.info('backup written', { file, ms: now().getTime() - at.getTime() });
      for (const { file } of (await filesIn(folder)).slice(keep)) await rm(file);
    } catch (error) {
      if (closing.signal.aborted) return;
      const { stderr, message } = error as Error & { stderr?: string };
      failure = stderr?.trim() || message;
      log.error('the backup failed', { error: failure });
    }
  }

  return {
    /** The plan, and how the last backup went. Reads the folder. */
    async status(): Promise<(BackupStatus & { plan: BackupPlan }) | undefined> {
      return plan && { plan, last: await findNewestBackup(plan.folder), failure };
    },
    /** Makes a backup if the last one is too old, and deletes the oldest ones. Failures are logged. */
    async makeIfDue(): Promise<void> {
      if (!plan) return;
      const last = await findNewestBackup(plan.folder);
      if (last && now().getTime() - last.at.getTime() < plan.everyMs - tolerance) return;
      running ??= make(plan).finally(() => (running = undefined));
      await running;
    },
    /** Ends a backup that is being made. */
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
