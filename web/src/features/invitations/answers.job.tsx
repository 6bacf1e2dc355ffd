/**
 * Answers to invitations, and withdrawals. They can be undone for ten seconds. One answer is a pending action, many are
 * a bulk job (bulk-answers.tsx). The row of an invitation shows its answer; if that failed, it shows the reason.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../api/changes.ts';
import { retryAfter, useJobState, useResumeStored } from '../../api/jobs/bulk-job.ts';
import { oncePerClient, pendingActionsOf, setAnswering, usePendingActions } from '../../api/pending-actions.ts';
import { errorParts, errorSentence, ProblemError } from '../../api/problem.ts';
import type { Box } from '../../api/query-keys.ts';
import { formatNumber, problemSentence, t, textFor } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonLook } from '../../ui/button.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { changeOf, sendAnswer } from './answer.api.ts';
import type { Answer, AnswerRow } from './answer.api.ts';
import { bytesOfAnswer, createBulkAnswers, isInboxShown } from './bulk-answers.tsx';
import type { AnswerEnvironment, AnswerJob } from './bulk-answers.tsx';
import { deviceName } from './invitations.api.ts';
import './answers.css';

/** An answer that can be undone, or that is being sent. */
export type UnsentAnswer = Pick<AnswerJob, 'key' | 'about' | 'state'>;

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
  pending = pendingActionsOf({ client }),
  ...environment
}: {
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
  send?: typeof sendAnswer;
} & AnswerEnvironment) {
  /** Answers of one invitation, by its id. */
  const single = new Map<string, UnsentAnswer>();
  const failures = new Map<string, AnswerFailure>();
  const jobs = createBulkAnswers({
    ...{ ...environment, client, show, send, pending, labelOfOne },
    onFailed: ({ id }, failure) => void failures.set(id, failure),
    onChange() {
      isUnsent = (id) => unsent(id) !== undefined;
      setAnswering({ has: isPinned, count: count('received') });
    },
  });

  const unsent = (id: string): UnsentAnswer | undefined => single.get(id) ?? jobs.jobOf(id);
  let isUnsent = (id: string): boolean => unsent(id) !== undefined;
  /** A failed answer keeps its row until the user dismisses it. */
  const isPinned = (id: string) => unsent(id) !== undefined || isFinal(failures.get(id)?.error);
  /** How many invitations of a box are being answered. */
  function count(box: Box): number {
    const isOfBox = ({ answer }: { answer: Answer }) => (answer === 'withdraw') === (box === 'sent');
    return [...single.values()].filter(({ about }) => isOfBox(about)).length + jobs.countOpen(isOfBox);
  }

  function addOne(answer: Answer, item: InvitationItem) {
    const { id } = item;
    const key = `answers:${id}`;
    const set = (state: UnsentAnswer['state'] | null) => {
      if (state) single.set(id, { key, about: { answer }, state });
      else single.delete(id);
      jobs.notify();
    };
    const sent = { type: 'answers.sent', data: { isJoined: answer === 'accept' } } as const;
    set('pending');
    pending.add({
      ...{ key, label: labelOfOne(answer, item), bytes: bytesOfAnswer },
      async send({ keepalive }) {
        set('running');
        const invitation = await retryThrottled(() => send({ item, answer, keepalive }));
        applyOwnChanges(client, changeOf(item, invitation), sent);
        set(null);
      },
      onError(error) {
        failures.set(id, { answer, error });
        set(null);
        applyOwnChanges(client, sent);
        if (!isInboxShown()) show({ title: t.invitations.failed[answer], text: errorSentence(error), tone: 'bad' });
      },
      onUndo: () => set(null),
    });
  }

  return {
    ...jobs,
    unsent,
    /** Returns another function after each change. */
    isUnsent: () => isUnsent,
    failureOf: (id: string) => failures.get(id),
    count,
    /** Adds answers. Leaves out invitations that are being answered. */
    add({ answer, items }: { answer: Answer; items: readonly InvitationItem[] }) {
      const free = items.filter(({ id }) => !unsent(id));
      for (const { id } of free) failures.delete(id);
      if (free.length === 1) addOne(answer, free[0]!);
      else void jobs.start({ about: { answer }, source: free });
    },
    /** Undoes the answer to one invitation. */
    undo(id: string) {
      const one = single.get(id);
      if (one) pending.undo(one.key);
      else jobs.undo(id);
    },
    dismissFailure(id: string) {
      failures.delete(id);
      jobs.notify();
    },
  };
}

/** Sends again for as long as the server asks to wait. */
async function retryThrottled<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const seconds = retryAfter(error, false);
      if (seconds === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

function labelOfOne(answer: Answer, { swarm, ...item }: AnswerRow) {
  return (
    <Rich
      text={t.invitations.pending.one[answer]}
      swarm={<Bdi>{swarm?.name}</Bdi>}
      device={<Bdi>{deviceName(item)}</Bdi>}
    />
  );
}

export function useUnsentAnswer(id: string): UnsentAnswer | undefined {
  const answers = useAnswers();
  return useJobState(answers, () => answers.unsent(id));
}

export function useAnswerFailure(id: string): AnswerFailure | undefined {
  const answers = useAnswers();
  return useJobState(answers, () => answers.failureOf(id));
}

/** Whether an invitation is being answered. The function is another one after each change. */
export function useIsUnsent(): (id: string) => boolean {
  const answers = useAnswers();
  return useJobState(answers, answers.isUnsent);
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

/**
 * Undoes one answer, or the whole job. Focus on it pauses the countdown. The pointer does not: the button appears under
 * the pointer that has just pressed Accept or Reject.
 */
export function UndoButton({ job, id, look = 'accent', size }: { job: UnsentAnswer; id?: string } & ButtonLook) {
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
export function PendingAnswer({ job, id }: { job: UnsentAnswer; id: string }) {
  return (
    <>
      <span className="invitation-answering quiet">{stateOf(job)}</span>
      {job.state === 'pending' && <UndoButton job={job} id={id} size="row" />}
    </>
  );
}

function stateOf({ state, about: { answer } }: UnsentAnswer): string {
  if (state === 'pending') return t.invitations.answering[answer];
  return state === 'paused' ? t.invitations.pending.paused : t.invitations.sending;
}
