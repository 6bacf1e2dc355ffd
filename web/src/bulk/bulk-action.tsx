/**
 * Bulk actions on selected rows. An action declares its fields, which items it concerns, and the request for one of
 * them. Its job survives the page and the tab. Each action is a module `*.job.tsx`, and has a place in the table of
 * actions of its list.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { applyOwnChanges } from '../api/changes.ts';
import type { Change } from '../api/changes.ts';
import { createBulkJob, useJobState, useResumeStored } from '../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobs } from '../api/jobs/bulk-job.ts';
import { oncePerClient } from '../api/pending-actions.ts';
import { errorSentence, isSignedOut } from '../api/problem.ts';
import { sendInBatch } from '../api/send-in-batch.ts';
import type { BatchedWrite } from '../api/send-in-batch.ts';
import { formatNumber, t } from '../text/text.ts';
import type { IconName } from '../ui/icon.tsx';
import { JobProgress } from '../ui/job-progress.tsx';
import { useToasts } from '../ui/toast.tsx';
import { FailedRows } from './failed-rows.tsx';
import type { ActionDialogProps, BulkAction, FieldsProps, Items } from './list-action.tsx';

/** The texts of an action. `count` is a number of items. */
export interface ActionTexts {
  menu: string;
  title(count: number): string;
  text: string;
  /** Of the items that are left out. */
  others(count: number): string;
  confirm(count: number): string;
  doing(count: number): string;
  done(count: number): string;
  failed(count: number): string;
}

/** What is stored of an item in order to send it. */
export interface BulkRow {
  id: string;
  name: string;
}

export interface ActionOptions<Item, About extends object, Row extends BulkRow> {
  /** The name under which its jobs are stored. */
  name: string;
  texts(): ActionTexts;
  icon: IconName;
  isDangerous?: boolean;
  isUndoable?: boolean;
  /** From this number of items on, the user confirms the number by typing it. */
  typedFrom?: number;
  /** What is chosen from the start. */
  initial?: About;
  Fields?: ComponentType<FieldsProps<Item, About>>;
  /** More lines of the summary. */
  Summary?: ComponentType<Items<Item>>;
  /** The others are left out. By default, all. */
  concerns?(item: Item, about: About): boolean;
  rowOf(item: Item): Row;
  /** Label of a job with one row. */
  labelOf?(row: Row): ReactNode;
  /** The request that changes one of them. */
  requestOf(row: Row, about: About): BatchedWrite;
  /** What has changed after these rows were sent. */
  changes(rows: readonly Row[], about: About): Change[];
  /** Rows stay in their job until all of them have a result. The lists are fetched again at the end only. */
  keepsRows?: boolean;
  /** Size of a request, for those that outlive the document. */
  bytesOf?(row: Row): number;
  /** After every change of a job, before React is notified. */
  onChange?(context: { client: QueryClient; jobs: BulkJobs<About, Row> }): void;
}

export function createBulkAction<Item, About extends object, Row extends BulkRow = BulkRow>(
  options: ActionOptions<Item, About, Row>,
) {
  const { name, texts, icon, isDangerous = false, concerns = () => true, Fields, Summary } = options;
  const { isUndoable = false, keepsRows = false, bytesOf = () => 0 } = options;
  type Job = BulkJob<About, readonly Row[]>;
  const jobsOf = oncePerClient(createJobs);
  const useJobs = () => jobsOf({ client: useQueryClient(), show: useToasts().show });

  function createJobs({ client, show }: { client: QueryClient; show: ReturnType<typeof useToasts>['show'] }) {
    /** The job whose failures are shown, and whether its dialog is open. */
    let failed: { job: Job; isOpen: boolean } | null = null;
    const apply = (rows: readonly Row[], about: About) => applyOwnChanges(client, ...options.changes(rows, about));
    const jobs: BulkJobs<About, Row> = createBulkJob<About, Row>({
      client,
      name,
      isUndoable,
      keepsRows,
      send: (row, { about, ...request }) => sendInBatch({ ...options.requestOf(row, about), ...request }),
      idOf: ({ id }) => id,
      bytesOf,
      labelOf: (key) => ({
        label: <Label jobKey={key} />,
        ...((jobs.job(key)?.total ?? 0) > 1 && {
          progress: <JobProgress jobs={jobs} jobKey={key} words={t.bulk} text={progressOf} bar />,
        }),
      }),
      onResults(results, { about }) {
        const sent = results.flatMap(({ row, result }) => (result.ok ? [row] : []));
        if (sent.length > 0 && !keepsRows) apply(sent, about);
      },
      onChange: () => options.onChange?.({ client, jobs }),
      onEnd(job) {
        if (keepsRows) apply(job.source ?? [], job.about);
        const done = job.results.size - job.failed;
        const rest = job.total - job.results.size;
        if (job.failed === 0) {
          if (done > 0 || rest > 0) {
            show({ title: texts().done(done), icon: 'check', ...(rest > 0 && { text: t.bulk.stopped(rest) }) });
          }
          return;
        }
        // An ended session has its own dialog.
        if (job.total === 1 && isSignedOut(job.error)) return;
        failed = { job, isOpen: false };
        const reason = job.failed === 1 ? errorSentence(job.error) : t.bulk.failed_text;
        show({
          title: texts().failed(job.failed),
          text: done > 0 ? `${texts().done(done)}. ${reason}` : reason,
          tone: 'bad',
          action: { label: t.bulk.show_failed, onAction: () => setOpen(true) },
        });
      },
    });
    function setOpen(isOpen: boolean) {
      if (failed) failed = { ...failed, isOpen };
      jobs.notify();
    }
    function Label({ jobKey }: { jobKey: string }) {
      const job = useJobState(jobs, () => jobs.job(jobKey));
      const [first] = job?.source ?? [];
      if (!job) return null;
      return job.total === 1 && first && options.labelOf ? options.labelOf(first) : texts().doing(job.total);
    }
    return {
      ...jobs,
      startItems: (items: readonly Item[], about: About) => jobs.start({ about, source: items.map(options.rowOf) }),
      failed: () => failed,
      closeFailed: () => setOpen(false),
    };
  }

  function ActionDialog({ items, render }: ActionDialogProps<Item>) {
    const jobs = useJobs();
    const [about, setAbout] = useState(options.initial);
    const concerned = about && items.filter((item) => concerns(item, about));
    return render({
      concerned: concerned ? { count: concerned.length, others: items.length - concerned.length } : null,
      fields: Fields && <Fields about={about} items={items} count={items.length} onChange={setAbout} />,
      summary: Summary && concerned && <Summary items={concerned} count={concerned.length} />,
      run() {
        if (about && concerned) void jobs.startItems(concerned, about);
      },
    });
  }

  /** For app/resume-jobs.tsx: continues the jobs of closed tabs, and shows what failed. */
  function ResumeJobs() {
    const jobs = useJobs();
    useResumeStored(jobs);
    const failed = useJobState(jobs, jobs.failed);
    if (!failed?.isOpen) return null;
    const { job } = failed;
    return (
      <FailedRows
        title={texts().failed(job.failed)}
        job={job}
        onRetry={(rows) => {
          jobs.closeFailed();
          void jobs.start({ about: job.about, source: rows });
        }}
        onClose={jobs.closeFailed}
      />
    );
  }

  const action: BulkAction<Item> = {
    name,
    texts,
    icon,
    isDangerous,
    typedFrom: options.typedFrom,
    Dialog: ActionDialog,
  };
  return { action, ResumeJobs, useJobs };
}

function progressOf({
  state,
  isUnreachable,
  results,
  total,
}: Pick<BulkJob<object, unknown>, 'state' | 'isUnreachable' | 'results' | 'total'>): string {
  const text = state === 'paused' ? t.bulk.paused : isUnreachable ? t.bulk.unreachable : t.bulk.progress;
  return text(formatNumber(results.size), formatNumber(total));
}
