/**
 * Answers to invitations, and withdrawals: a bulk job, also for a single one. They can be undone for ten seconds. The row
 * of an invitation shows its answer; if that failed, it shows the reason.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Invitation, InvitationItem } from '@swarmdeck/bff/contract';
import { setAnswering } from '../../api/cached-invitations.ts';
import { applyOwnChanges } from '../../api/changes.ts';
import type { Change } from '../../api/changes.ts';
import { send } from '../../api/client.ts';
import { createBulkJob, useJobState, useResumeStored } from '../../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobEnvironment, BulkJobs } from '../../api/jobs/bulk-job.ts';
import { oncePerClient, usePendingActions } from '../../api/pending-actions.ts';
import { Button } from '../../ui/button.tsx';
import { errorParts, errorSentence, ProblemError } from '../../api/problem.ts';
import { sendInBatch } from '../../api/send-in-batch.ts';
import { formatNumber, problemSentence, t, textFor } from '../../text/text.ts';
import type { ButtonLook } from '../../ui/button.tsx';
import { JobProgress } from '../../ui/job-progress.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { deviceName } from './invitations.api.ts';
import './answers.css';

export type Answer = 'accept' | 'reject' | 'withdraw';

/** What is stored of an invitation in order to answer it. */
interface AnswerRow {
  id: string;
  resource_id: string;
  swarm_id: string;
  /** The names of the device and the swarm, for the label of a single answer. */
  device: string;
  swarm: string;
}

export type AnswerJob = BulkJob<{ answer: Answer }, readonly AnswerRow[]>;

export interface AnswerFailure {
  answer: Answer;
  error: unknown;
}

const answersOf = oncePerClient(createAnswers);
export function useAnswers() {
  return answersOf({ client: useQueryClient(), show: useToasts().show });
}

export function createAnswers({
  client,
  show,
  send = sendAnswer,
  ...environment
}: {
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  send?: typeof sendAnswer;
} & BulkJobEnvironment<{ answer: Answer }, readonly AnswerRow[]>) {
  const failures = new Map<string, AnswerFailure>();
  const jobs: BulkJobs<{ answer: Answer }, AnswerRow> = createBulkJob<
    { answer: Answer },
    AnswerRow,
    readonly AnswerRow[],
    Invitation | null
  >({
    ...environment,
    client,
    name: 'answers',
    isUndoable: true,
    send: (row, { about: { answer }, key, keepalive }) => send({ row, answer, key, keepalive }),
    idOf: ({ id }) => id,
    // The body `{"status":"accept"}`.
    bytesOf: () => 20,
    labelOf: (key) => ({
      label: <Label jobKey={key} />,
      ...doneOf(jobs.job(key)),
      ...((jobs.job(key)?.total ?? 0) > 1 && { progress: <Progress jobKey={key} /> }),
    }),
    onResults(results, { about: { answer } }) {
      const changes: Change[] = [];
      for (const { row, result, answer: invitation } of results) {
        const { id, swarm_id } = row;
        if (!result.ok) failures.set(id, { answer, error: result.error });
        else if (invitation) changes.push({ type: 'invitation.updated', data: invitation });
        else changes.push({ type: 'invitation.withdrawn', data: { id, swarm_id } });
      }
      applyOwnChanges(client, ...changes);
    },
    onChange: () =>
      setAnswering({
        // A failed answer keeps its row until the user dismisses it.
        has: (id) => jobs.jobOf(id) !== undefined || isFinal(failures.get(id)?.error),
        count: (box) => jobs.countOpen(({ answer }) => (answer === 'withdraw') === (box === 'sent')),
      }),
    onEnd(job) {
      const { answer } = job.about;
      applyOwnChanges(client, { type: answer === 'accept' ? 'membership.changed' : 'invitations.changed', data: {} });
      // Otherwise the row of a failed answer shows it.
      const isHidden = document.querySelector('[data-answers]') === null;
      if (job.total > 1 && (job.failed > 0 || isHidden)) show(summaryOf(job));
      else if (job.failed > 0 && isHidden)
        show({ title: t.invitations.failed[answer], text: errorSentence(job.error), tone: 'bad' });
    },
  });

  function Label({ jobKey }: { jobKey: string }) {
    const job = useJobState(jobs, () => jobs.job(jobKey));
    const [first] = job?.source ?? [];
    if (!job || !first) return null;
    if (job.total > 1) return titleOf(job);
    const text = t.invitations.pending.one[job.about.answer];
    return <Rich text={text} swarm={<Bdi>{first.swarm}</Bdi>} device={<Bdi>{first.device}</Bdi>} />;
  }
  function Progress({ jobKey }: { jobKey: string }) {
    return <JobProgress jobs={jobs} jobKey={jobKey} words={t.bulk} text={progressOf} />;
  }

  return {
    ...jobs,
    Progress,
    failureOf: (id: string) => failures.get(id),
    /** Adds answers. Leaves out invitations that are being answered. */
    add({ answer, items }: { answer: Answer; items: readonly InvitationItem[] }) {
      for (const { id } of items) failures.delete(id);
      const source = items.map((item) => {
        const { id, resource_id, swarm_id, swarm } = item;
        return { id, resource_id, swarm_id, device: deviceName(item), swarm: swarm.name };
      });
      void jobs.start({ about: { answer }, source });
    },
    dismissFailure(id: string) {
      failures.delete(id);
      jobs.notify();
    },
  };
}

/** Sends one answer. Idempotent. Returns null for a withdrawal. */
export async function sendAnswer({
  row: { id, resource_id, swarm_id },
  answer,
  ...options
}: {
  row: Pick<AnswerRow, 'id' | 'resource_id' | 'swarm_id'>;
  answer: Answer;
  key: string;
  keepalive: boolean;
}): Promise<Invitation | null> {
  if (answer === 'withdraw') {
    // Not in a batch, where it is not an error if the invitation does not exist.
    const { keepalive } = options;
    await send({ method: 'DELETE', path: `/api/swarms/${swarm_id}/invitations/${id}`, keepalive });
    return null;
  }
  const path = `/api/resources/${resource_id}/invitations/${id}`;
  return sendInBatch<Invitation>({ method: 'PUT', path, body: { status: answer }, ...options });
}

/** The announcement after a single answer. Many answers end with a notice. */
function doneOf(job: AnswerJob | undefined) {
  const [first] = job?.source ?? [];
  if (!job || !first || job.total > 1) return {};
  const text = t.invitations.pending.done_one[job.about.answer];
  return { doneLabel: <Rich text={text} swarm={<Bdi>{first.swarm}</Bdi>} device={<Bdi>{first.device}</Bdi>} /> };
}

export function titleOf({ about: { answer }, total }: AnswerJob): string {
  return t.invitations.pending.many[answer](formatNumber(total));
}

function progressOf({ state, results, total }: AnswerJob): string {
  const { progress, paused } = t.invitations.pending;
  return `${state === 'paused' ? `${paused} · ` : ''}${progress(formatNumber(results.size), formatNumber(total))}`;
}

/** The toast after many answers, or after the user has stopped them. */
function summaryOf({ about: { answer }, results, failed }: AnswerJob) {
  const sent = results.size - failed;
  const { ended, ended_failed } = t.invitations.pending;
  return {
    title: ended[answer](sent),
    ...(failed > 0 && { text: ended_failed(failed), tone: 'bad' as const }),
  };
}

/** The answer of an invitation that is not sent yet, and why the last one failed. */
export function useAnswer(id: string): { job: AnswerJob | undefined; failure: AnswerFailure | undefined } {
  const answers = useAnswers();
  return {
    job: useJobState(answers, () => answers.jobOf(id)),
    failure: useJobState(answers, () => answers.failureOf(id)),
  };
}

export function useAnswerJobs(): readonly AnswerJob[] {
  const answers = useAnswers();
  return useJobState(answers, answers.jobs);
}

/** The invitation cannot be answered any more: it was withdrawn, deleted or answered elsewhere. */
export function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && [403, 404, 409].includes(error.problem.status);
}

export function reasonOf(error: unknown): string {
  const parts = errorParts(error);
  return textFor(t.invitations.failed_because, parts.code) ?? problemSentence(parts);
}

/** For app/resume-jobs.tsx. */
export function ResumeJobs() {
  useResumeStored(useAnswers());
  return null;
}

/** Undoes one answer, or the whole job, and shows the countdown. */
export function UndoAnswer({ job, id, ...look }: { job: AnswerJob; id?: string } & ButtonLook) {
  const pending = usePendingActions();
  const answers = useAnswers();
  const seconds = useSyncExternalStore(
    pending.subscribe,
    () => pending.items().find(({ key }) => key === job.key)?.seconds ?? 0,
  );
  return (
    <Button {...look} onClick={() => (id === undefined ? pending.undo(job.key) : answers.undo(id))}>
      <span className="numbers">{t.invitations.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}

/**
 * Replaces the buttons of an invitation while its answer is pending. Undo is not in the place of the button that was
 * pressed, but at the other end: a slow second tap must not undo the answer.
 */
export function PendingAnswer({ job, id }: { job: AnswerJob; id: string }) {
  const undo = job.state === 'pending' && <UndoAnswer job={job} id={id} />;
  const isFirst = job.about.answer === 'accept';
  return (
    <>
      {!isFirst && undo}
      <span className="invitation-answering quiet">{stateOf(job)}</span>
      {isFirst && undo}
    </>
  );
}

function stateOf({ state, about: { answer } }: AnswerJob): string {
  if (state === 'pending') return t.invitations.answering[answer];
  return state === 'paused' ? t.invitations.pending.paused : t.invitations.sending;
}
