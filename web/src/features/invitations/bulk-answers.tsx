/** Many answers at once: a bulk job, which continues after its tab was closed. */
import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Invitation } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../api/changes.ts';
import { createBulkJob, useJobState } from '../../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobEnvironment } from '../../api/jobs/bulk-job.ts';
import { formatNumber, t } from '../../text/text.ts';
import { JobProgress } from '../../ui/job-progress.tsx';
import type { useToasts } from '../../ui/toast.tsx';
import { changeOf } from './answer.api.ts';
import type { Answer, AnswerRow, sendAnswer } from './answer.api.ts';

export type AnswerJob = BulkJob<{ answer: Answer }, readonly AnswerRow[]>;
export type AnswerEnvironment = BulkJobEnvironment<{ answer: Answer }, readonly AnswerRow[]>;

/** Size of the body `{"status":"accept"}`. */
export const bytesOfAnswer = 20;

/** Outside the inbox, the row of a failed answer is not visible. */
export const isInboxShown = () => document.querySelector('[data-answers]') !== null;

export function createBulkAnswers({
  client,
  show,
  send,
  labelOfOne,
  onFailed,
  onChange,
  ...environment
}: AnswerEnvironment & {
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  send: typeof sendAnswer;
  /** The label if all answers but one were undone. */
  labelOfOne(answer: Answer, row: AnswerRow): ReactNode;
  onFailed(row: AnswerRow, failure: { answer: Answer; error: unknown }): void;
  onChange(): void;
}) {
  const jobs = createBulkJob<{ answer: Answer }, AnswerRow, readonly AnswerRow[], Invitation | null>({
    ...environment,
    client,
    name: 'answers',
    isUndoable: true,
    send: (item, { about: { answer }, key, keepalive }) => send({ item, answer, key, keepalive }),
    idOf: ({ id }) => id,
    toStored: ({ id, resource_id, swarm_id }) => ({ id, resource_id, swarm_id }),
    bytesOf: () => bytesOfAnswer,
    labelOf: (key) => ({ label: <Label jobKey={key} />, progress: <Progress jobKey={key} /> }),
    onResults(results, { about: { answer } }) {
      for (const { row, result } of results) if (!result.ok) onFailed(row, { answer, error: result.error });
      const sent = results.filter(({ result }) => result.ok);
      applyOwnChanges(client, ...sent.map(({ row, answer: invitation }) => changeOf(row, invitation)));
    },
    onChange,
    onEnd(job) {
      applyOwnChanges(client, { type: 'answers.sent', data: { isJoined: job.about.answer === 'accept' } });
      if (job.failed > 0 || !isInboxShown()) show(summaryOf(job));
    },
  });

  function Label({ jobKey }: { jobKey: string }) {
    const job = useJobState(jobs, () => jobs.job(jobKey));
    if (!job) return null;
    const [first] = job.source ?? [];
    return job.total === 1 && first ? labelOfOne(job.about.answer, first) : titleOf(job);
  }
  function Progress({ jobKey }: { jobKey: string }) {
    return <JobProgress jobs={jobs} jobKey={jobKey} words={t.bulk} text={progressOf} />;
  }
  return { ...jobs, Progress };
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
