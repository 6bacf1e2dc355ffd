/**
 * Bulk actions on devices. An action declares its fields, which devices it concerns, and the request for one of them.
 * The job survives the page and the tab. Each action is a module `*.job.tsx`, and has a place in bulk-actions.ts.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import type { Change } from '../../../api/changes.ts';
import { deviceSelectionOf } from '../../../api/device-selection.ts';
import { createBulkJob, useJobState, useResumeStored } from '../../../api/jobs/bulk-job.ts';
import type { BulkJob } from '../../../api/jobs/bulk-job.ts';
import { oncePerClient } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { JobProgress } from '../../../ui/job-progress.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { FailedDevices } from './failed-devices.tsx';

/** As much of a selected device as actions need. */
export type SelectedDevice = Pick<
  Device,
  'id' | 'user_id' | 'name' | 'machine_type' | 'description' | 'position' | 'swarms'
>;

/** What is stored of a device in order to send it. */
export interface DeviceRow {
  id: string;
  name: string;
}

export interface FieldsProps<About> {
  /** Undefined until the user has chosen. */
  about: About | undefined;
  devices: readonly SelectedDevice[];
  onChange(about: About | undefined): void;
}

export interface ActionOptions<About extends object> {
  name: keyof (typeof t)['bulk']['actions'];
  icon: IconName;
  isDangerous?: boolean;
  isUndoable?: boolean;
  /** What is chosen from the start. */
  initial?: About;
  Fields?: ComponentType<FieldsProps<About>>;
  /** More lines of the summary. */
  Summary?: ComponentType<{ devices: readonly SelectedDevice[] }>;
  /** The others are left out. By default, all. */
  concerns?(device: SelectedDevice, about: About): boolean;
  send(row: DeviceRow, request: { about: About; key: string; keepalive: boolean }): Promise<unknown>;
  /** What has changed after these devices were sent. */
  changes(rows: readonly DeviceRow[], about: About): Change[];
}

/** An action in the menu of the selection. */
export interface DeviceAction {
  name: keyof (typeof t)['bulk']['actions'];
  icon: IconName;
  isDangerous: boolean;
  Dialog: ComponentType<ActionDialogProps>;
}

export interface ActionDialogProps {
  devices: readonly SelectedDevice[];
  /** Draws the dialog. */
  render(parts: ActionParts): ReactNode;
}

export interface ActionParts {
  /** How many devices are changed, and how many are left out. Null until the user has chosen. */
  concerned: { count: number; others: number } | null;
  fields: ReactNode;
  summary: ReactNode;
  run(): void;
}

export function createDeviceAction<About extends object>(options: ActionOptions<About>) {
  const { name, icon, isDangerous = false, isUndoable = false, concerns = () => true, Fields, Summary } = options;
  type Job = BulkJob<About, readonly DeviceRow[]>;
  const jobsOf = oncePerClient(createJobs);
  const useJobs = () => jobsOf({ client: useQueryClient(), show: useToasts().show });
  const texts = () => t.bulk.actions[name];

  function createJobs({ client, show }: { client: QueryClient; show: ReturnType<typeof useToasts>['show'] }) {
    const selection = deviceSelectionOf({ client });
    /** The job whose failures are shown, and whether its dialog is open. */
    let failed: { job: Job; isOpen: boolean } | null = null;
    const jobs = createBulkJob<About, DeviceRow>({
      client,
      name: `devices-${name}`,
      isUndoable,
      send: options.send,
      idOf: ({ id }) => id,
      nameOf: (row) => row.name,
      bytesOf: () => 0,
      labelOf: (key) => ({
        label: <Label jobKey={key} />,
        progress: <JobProgress jobs={jobs} jobKey={key} words={t.bulk} text={progressOf} bar />,
      }),
      onResults(results, { about }) {
        const sent = results.flatMap(({ row, result }) => (result.ok ? [row] : []));
        if (sent.length > 0) applyOwnChanges(client, ...options.changes(sent, about));
      },
      onChange: () =>
        isDangerous && selection.setDeleting({ has: (id) => jobs.jobOf(id) !== undefined, undo: jobs.undo }),
      onEnd(job) {
        const done = job.results.size - job.failed;
        const rest = job.total - job.results.size;
        if (job.failed === 0) {
          if (done > 0 || rest > 0) {
            show({ title: texts().done(done), icon: 'check', ...(rest > 0 && { text: t.bulk.stopped(rest) }) });
          }
          return;
        }
        failed = { job, isOpen: false };
        show({
          title: texts().failed(job.failed),
          text: done > 0 ? texts().done(done) : t.bulk.failed_text,
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
      return job && texts().doing(job.total);
    }
    return {
      ...jobs,
      failed: () => failed,
      closeFailed: () => setOpen(false),
    };
  }

  function ActionDialog({ devices, render }: ActionDialogProps) {
    const jobs = useJobs();
    const [about, setAbout] = useState(options.initial);
    const rows = about && devices.filter((device) => concerns(device, about));
    return render({
      concerned: rows ? { count: rows.length, others: devices.length - rows.length } : null,
      fields: Fields && <Fields about={about} devices={devices} onChange={setAbout} />,
      summary: Summary && <Summary devices={devices} />,
      run() {
        if (!about || !rows) return;
        void jobs.start({ about, source: rows.map((device) => ({ id: device.id, name: device.name })) });
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
      <FailedDevices
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

  const action: DeviceAction = { name, icon, isDangerous, Dialog: ActionDialog };
  return { action, ResumeJobs };
}

function progressOf({ state, results, total }: { state: string; results: { size: number }; total: number }): string {
  const text = state === 'paused' ? t.bulk.paused : t.bulk.progress;
  return text(formatNumber(results.size), formatNumber(total));
}
