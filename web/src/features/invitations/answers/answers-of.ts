import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { createElement, useSyncExternalStore } from 'react';
import { applyOwnChanges } from '../../../api/changes.ts';
import type { Change } from '../../../api/changes.ts';
import { setAnswering } from '../../../api/invitation-lists.ts';
import { keepJobs } from '../../../api/jobs/kept-jobs.ts';
import { pauseFor } from '../../../api/jobs/send-each.ts';
import { errorParts } from '../../../api/problem.ts';
import { randomKey } from '../../../api/sending-key.ts';
import { userOf } from '../../../api/user-of.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { onePerWaiting } from '../../../ui/waiting-held.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import { sendAnswer } from '../invitations.api.ts';
import type { Box } from '../../../api/query-keys.ts';
import { AnswerLabel } from './answer-label.tsx';
import type { Job, Refusal } from './answering-jobs.ts';
import { AnswersProgress } from './answers-progress.tsx';
import { createAnswers } from './answers.ts';
import type { Answers, KeptAnswers } from './answers.ts';
import { isFinal } from './refusal.ts';

interface Held {
  answers: Answers;
  kept(): KeptAnswers;
}

const heldBy = onePerWaiting(connect);

/** Elsewhere than in the inbox nobody sees the row that a refused answer comes back to. */
const rowsInSight = () => document.querySelector('[data-answers]') !== null;

export function useAnswers(): Answers {
  return useHeld().answers;
}

export function useHeld(): Held {
  return heldBy({ waiting: useWaiting(), client: useQueryClient(), show: useToasts().show });
}

function connect({
  waiting,
  client,
  show,
}: {
  waiting: Waiting;
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
}): Held {
  let keeping: KeptAnswers | undefined;
  const kept = () => (keeping ??= keepJobs({ name: `answers:${userOf(client)}` }));
  // a failed answer keeps its row until the reason has been read
  const isHere = (id: string) => answers.jobOf(id) !== undefined || isFinal(answers.refusalOf(id)?.error);
  const answers: Answers = createAnswers({
    waiting,
    kept,
    newKey: randomKey,
    send: sendAnswer,
    show: ({ key, ...about }) => ({
      label: createElement(AnswerLabel, about),
      ...(about.total > 1 && { progress: createElement(AnswersProgress, { answers, jobKey: key }) }),
    }),
    onAnswered(done) {
      applyOwnChanges(
        client,
        ...done.map(({ item, invitation }): Change =>
          invitation ? { type: 'invitation.updated', data: invitation } : { type: 'invitation.withdrawn', data: item },
        ),
      );
    },
    onRefused({ total, answer, error }) {
      if (total > 1 || rowsInSight()) return;
      show({ title: t.invitations.refused[answer], text: problemSentence(errorParts(error)), tone: 'bad' });
    },
    onEnd(job) {
      applyOwnChanges(client, { type: 'answers.sent', data: { isJoined: job.answer === 'accept' } });
      if (job.total > 1 && (job.refused > 0 || !rowsInSight())) show(endOf(job));
    },
    onCount: (count) => setAnswering({ has: isHere, count }),
    pause: pauseFor,
  });
  return { answers, kept };
}

/** What is said of many once all of them have come to an end, or the rest was stopped. */
function endOf({ answer, done, refused }: Job) {
  const sent = done - refused;
  const { ended, ended_refused } = t.invitations.waiting;
  return {
    title: ended[answer](sent, formatNumber(sent)),
    ...(refused > 0 && { text: ended_refused(refused, formatNumber(refused)), tone: 'bad' as const }),
  };
}

export function useJobOf(id: string): Job | undefined {
  const answers = useAnswers();
  return useSyncExternalStore(answers.subscribe, () => answers.jobOf(id));
}

export function useRefusalOf(id: string): Refusal | undefined {
  const answers = useAnswers();
  return useSyncExternalStore(answers.subscribe, () => answers.refusalOf(id));
}

export function useJobs(): readonly Job[] {
  const answers = useAnswers();
  return useSyncExternalStore(answers.subscribe, answers.jobs);
}

/** How many wait or are on their way. */
export function useAnsweringCount(box: Box): number {
  const answers = useAnswers();
  return useSyncExternalStore(answers.subscribe, () => answers.count(box));
}
