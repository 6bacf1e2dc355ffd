/**
 * Answers and withdrawals of the inbox. One answer or ten thousand are one bulk job, shown by its rows. A row whose
 * answer failed returns with the reason. Many answers continue after their tab was closed.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { Invitation, InvitationItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../api/changes.ts';
import type { Change } from '../../api/changes.ts';
import { setAnswering, oncePerClient, usePendingActions } from '../../api/pending-actions.ts';
import { createBulkJob, useJobState, useResumeStored } from '../../api/jobs/bulk-job.ts';
import type { BulkJob, BulkJobEnvironment } from '../../api/jobs/bulk-job.ts';
import { errorParts, errorSentence, ProblemError } from '../../api/problem.ts';
import type { Box } from '../../api/query-keys.ts';
import { formatNumber, problemSentence, t, textFor } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { JobProgress } from '../../ui/job-progress.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { deviceName, sendAnswer } from './invitations.api.ts';
import type { Answer } from './invitations.api.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import type { ButtonLook } from '../../ui/button.tsx';
import './answers.css';

/**
 * The fields of an invitation that must be stored to answer it. While the answer is pending, its label shows more of
 * them.
 */
type AnswerRow = Pick<InvitationItem, 'id' | 'resource_id' | 'swarm_id'> & Partial<InvitationItem>;

export type AnswerJob = BulkJob<{ answer: Answer }, readonly AnswerRow[]>;

export interface AnswerFailure {
  answer: Answer;
  error: unknown;
}

/** Size of the body `{"status":"accept"}`. */
const bytesOfOne = 20;

type Show = ReturnType<typeof useToasts>['show'];
const answersOf = oncePerClient(createAnswers);

export function useAnswers() {
  return answersOf({ client: useQueryClient(), show: useToasts().show });
}
export type Answers = ReturnType<typeof useAnswers>;

/** Outside the inbox, the row of a failed answer is not visible. */
const isInboxShown = () => document.querySelector('[data-answers]') !== null;

export function createAnswers({
  client,
  show,
  send = sendAnswer,
  ...environment
}: {
  client: QueryClient;
  show: Show;
  send?: typeof sendAnswer;
} & BulkJobEnvironment<{ answer: Answer }, readonly AnswerRow[]>) {
  const failures = new Map<string, AnswerFailure>();

  const jobs = createBulkJob<{ answer: Answer }, AnswerRow, readonly AnswerRow[], Invitation | null>({
    ...environment,
    client,
    name: 'answers',
    isUndoable: true,
    send: (item, { about: { answer }, key, keepalive }) => send({ item, answer, key, keepalive }),
    idOf: ({ id }) => id,
    toStored: ({ id, resource_id, swarm_id }) => ({ id, resource_id, swarm_id }),
    bytesOf: () => bytesOfOne,
    labelOf: (key) => ({
      label: <AnswerLabel jobKey={key} />,
      ...(isBulk(key) && { progress: <AnswerProgress jobKey={key} /> }),
    }),
    onResults(results, { about: { answer }, total }) {
      const changes: Change[] = [];
      for (const { row, result, answer: invitation } of results) {
        if (result.ok) changes.push(changeOf(row, invitation));
        else {
          failures.set(row.id, { answer, error: result.error });
          if (total === 1 && !isInboxShown()) {
            show({
              title: t.invitations.failed[answer],
              text: errorSentence(result.error),
              tone: 'bad',
            });
          }
        }
      }
      applyOwnChanges(client, ...changes);
    },
    onChange: shareAnswering,
    onEnd(job) {
      applyOwnChanges(client, { type: 'answers.sent', data: { isJoined: job.about.answer === 'accept' } });
      if (job.total > 1 && (job.failed > 0 || !isInboxShown())) show(summaryOf(job));
    },
  });
  const isBulk = (key: string): boolean => (jobs.job(key)?.total ?? 0) > 1;

  /** How many invitations of a box are being answered. */
  const count = (box: Box) => jobs.countOpen(({ answer }) => (answer === 'withdraw') === (box === 'sent'));

  function shareAnswering() {
    // A failed answer keeps its row until the user dismisses it.
    const has = (id: string) => jobs.jobOf(id) !== undefined || isFinal(failures.get(id)?.error);
    setAnswering({ has, count: count('received') });
  }

  function AnswerLabel({ jobKey }: { jobKey: string }) {
    const job = useJobState(jobs, () => jobs.job(jobKey));
    return job && labelOf(job);
  }
  function AnswerProgress({ jobKey }: { jobKey: string }) {
    return <JobProgress jobs={jobs} jobKey={jobKey} words={t.invitations.pending} text={progressOf} />;
  }

  return {
    ...jobs,
    Progress: AnswerProgress,
    /** Adds pending answers. Leaves out invitations with a pending answer. */
    add({ answer, items }: { answer: Answer; items: readonly InvitationItem[] }) {
      for (const { id } of items) if (!jobs.jobOf(id)) failures.delete(id);
      void jobs.start({ about: { answer }, source: items });
    },
    failureOf: (id: string) => failures.get(id),
    dismissFailure(id: string) {
      failures.delete(id);
      jobs.notify();
    },
    count,
  };
}

function changeOf(row: AnswerRow, invitation: Invitation | null | undefined): Change {
  return invitation
    ? { type: 'invitation.updated', data: invitation }
    : { type: 'invitation.withdrawn', data: { id: row.id, swarm_id: row.swarm_id } };
}

function labelOf({ about: { answer }, source, total }: AnswerJob) {
  const [first] = source ?? [];
  if (total > 1 || !first?.swarm) return t.invitations.pending.many[answer](formatNumber(total));
  return (
    <Rich
      text={t.invitations.pending.one[answer]}
      swarm={<Bdi>{first.swarm.name}</Bdi>}
      device={<Bdi>{deviceName(first as InvitationItem)}</Bdi>}
    />
  );
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

export function useAnswerJob(id: string): AnswerJob | undefined {
  const answers = useAnswers();
  return useJobState(answers, () => answers.jobOf(id));
}

export function useAnswerFailure(id: string): AnswerFailure | undefined {
  const answers = useAnswers();
  return useJobState(answers, () => answers.failureOf(id));
}

export function useAnswerJobs(): readonly AnswerJob[] {
  const answers = useAnswers();
  return useJobState(answers, answers.jobs);
}

/** How many invitations of a box are being answered. */
export function useAnsweringCount(box: Box): number {
  const answers = useAnswers();
  return useJobState(answers, () => answers.count(box));
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

/** A bulk answer: first pending, with Undo, then its progress. */
export function JobBar({ job }: { job: AnswerJob }) {
  const { Progress } = useAnswers();
  const { key, about, state, total, results } = job;
  const title = t.invitations.pending.many[about.answer](formatNumber(total));
  return (
    <section className="answer-bar" aria-label={title}>
      <p className="answer-bar-words">{title}</p>
      {state === 'pending' ? <UndoButton job={job} look="plain" size="small" /> : <Progress jobKey={key} />}
      {state !== 'pending' && <progress aria-label={title} value={results.size} max={total} />}
    </section>
  );
}

/**
 * Undoes one answer, or the whole job. Focus on it pauses the countdown. The pointer does not: the button appears under
 * the pointer that has just pressed Accept or Reject.
 */
export function UndoButton({ job, id, look = 'accent', size }: { job: AnswerJob; id?: string } & ButtonLook) {
  const pending = usePendingActions();
  const answers = useAnswers();
  const seconds = useSyncExternalStore(
    pending.subscribe,
    () => pending.items().find(({ key }) => key === job.key)?.seconds ?? 0,
  );
  const [isFocused, setFocused] = useState(false);
  useEffect(() => (isFocused ? pending.pause(job.key) : undefined), [isFocused, pending, job.key]);
  return (
    <Button
      look={look}
      {...(size && { size })}
      onClick={() => (id === undefined ? answers.undoJob(job.key) : answers.undo(id))}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="numbers">{t.invitations.undo_in(formatNumber(seconds))}</span>
    </Button>
  );
}

/** Replaces the buttons of an invitation while its answer is pending. */
export function PendingAnswer({ job, id }: { job: AnswerJob; id: string }) {
  return (
    <>
      <span className="invitation-answering quiet">{stateOf(job)}</span>
      {job.state === 'pending' && <UndoButton job={job} id={id} size="row" />}
    </>
  );
}

function stateOf({ state, about: { answer } }: AnswerJob): string {
  if (state === 'pending') return t.invitations.answering[answer];
  return state === 'paused' ? t.invitations.pending.paused : t.invitations.sending;
}
