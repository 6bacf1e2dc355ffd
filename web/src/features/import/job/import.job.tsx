/**
 * The bulk job of an import. It continues on other pages, after a closed tab and after a restart of the server, and
 * creates each row once. The rows are read from the file, which is stored with the job.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { createBulkJob, useJobState, useResumeStored } from '../../../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobEnvironment } from '../../../api/jobs/bulk-job.ts';
import { getValue, putValue } from '../../../api/jobs/stored-values.ts';
import { oncePerClient } from '../../../api/pending-actions.ts';
import { errorParts, ProblemError } from '../../../api/problem.ts';
import type { BatchOptions } from '../../../api/send-in-batch.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { sendRow } from '../import.api.ts';
import type { ImportRow } from '../import.api.ts';
import type { Fixes } from '../rows/csv-file.ts';
import type { Uses } from '../rows/column-uses.ts';

export interface ImportPlan {
  user_id: string;
  /** The name of the file. */
  name: string;
  hash: string;
  uses: Uses;
  fixes: Fixes;
  /** The number of rows to send, and the lines of those that change a device. */
  rows: number;
  changes: readonly number[];
}

export type ImportJob = BulkJob<ImportPlan, Blob>;

/** A row that the service rejected. */
export interface FailedRow {
  line: number;
  name: string;
  code: string;
  detail?: string;
}

const importOf = oncePerClient(createImport);

/** For app/resume-jobs.tsx. */
export function ResumeJobs() {
  useImportJob();
  return null;
}

/** The import job of the user. It continues after its tab was closed. */
export function useImportJob() {
  const jobs = importOf({ client: useQueryClient() });
  useResumeStored(jobs);
  return { jobs, job: useJobState(jobs, jobs.current) ?? null };
}

export function createImport({
  client,
  send = sendRow,
  ...environment
}: {
  client: QueryClient;
  send?: (row: ImportRow & BatchOptions) => Promise<Pick<Resource, 'id' | 'user_id'>>;
} & BulkJobEnvironment<ImportPlan, Blob>) {
  const refetch = () => applyOwnChanges(client, { type: 'devices.changed', data: {} });
  const jobs = createBulkJob<ImportPlan, ImportRow, Blob, string | undefined>({
    ...environment,
    client,
    name: 'import',
    isSequential: true,
    showsElsewhere: true,
    pausesIfStale: true,
    async *rowsOf(file, plan) {
      const { importRows } = await import('../rows/import-rows.ts');
      yield* importRows({ file, plan });
    },
    totalOf: (_file, { rows }) => rows,
    nameOf: ({ device }) => device.name,
    createdBy: (id) => id,
    async send(row, { about: { user_id }, key, keepalive }) {
      const sent = await send({ ...row, key, keepalive });
      // Another user has signed in in another tab: no more rows are sent as that user.
      const current = jobs.current();
      if (sent.user_id !== user_id && current) jobs.pause(current.key);
      return row.change ? undefined : sent.id;
    },
    pausesOn: (error) => !(error instanceof ProblemError && [400, 404, 413, 422].includes(error.problem.status)),
    onPause: refetch,
    onEnd(job) {
      refetch();
      const { user_id, hash } = job.about;
      const made = madeBy(job);
      const at = new Date(serverNow()).toISOString();
      if (made > 0) rememberImport({ user_id, past: { hash, made, at } }).catch(() => undefined);
    },
  });
  return {
    ...jobs,
    /** There is one import at a time. */
    async start(job: { about: ImportPlan; source: Blob }): Promise<void> {
      const current = jobs.current();
      if (!current || isOver(current)) await jobs.start(job);
    },
  };
}

export type ImportPhase = 'running' | 'pausing' | 'paused' | 'elsewhere' | 'stopped' | 'done';

export function phaseOf({ state, isStopped, isBusy }: ImportJob): ImportPhase {
  if (isStopped) return 'stopped';
  if (state === 'ended') return 'done';
  if (state === 'paused') return isBusy ? 'pausing' : 'paused';
  return state === 'elsewhere' ? 'elsewhere' : 'running';
}

/** Whether no more rows will be sent. */
export const isOver = (job: ImportJob) => job.isStopped || job.state === 'ended';

/** How many devices were created or changed. */
export const madeBy = ({ results, failed }: Pick<ImportJob, 'results' | 'failed'>) => results.size - failed;

/** The ids of the devices that were created. */
export function createdBy({ results }: Pick<ImportJob, 'results'>): string[] {
  return [...results.values()].flatMap((result) => (result.ok && result.created !== undefined ? [result.created] : []));
}

export function failedRows({ results }: Pick<ImportJob, 'results'>): FailedRow[] {
  return [...results].flatMap(([line, result]) =>
    result.ok ? [] : [{ line, name: result.name ?? '', ...errorParts(result.error) }],
  );
}

/** A finished import. Importing the same file again would create its devices a second time. */
export interface PastImport {
  hash: string;
  made: number;
  at: string;
}

const mostRemembered = 20;
const pastKey = (user_id: string) => `import:${user_id}:past`;

async function rememberImport({ user_id, past }: { user_id: string; past: PastImport }) {
  const before = (await getValue<PastImport[]>(pastKey(user_id))) ?? [];
  const all = [past, ...before.filter(({ hash }) => hash !== past.hash)];
  await putValue(pastKey(user_id), all.slice(0, mostRemembered));
}

export async function pastImport({ user_id, hash }: { user_id: string; hash: string }) {
  return (await getValue<PastImport[]>(pastKey(user_id)))?.find((past) => past.hash === hash);
}
