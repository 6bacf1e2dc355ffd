import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { createElement, useSyncExternalStore } from 'react';
import { errorParts } from '../../api/problem.ts';
import { problemSentence } from '../../text/text.ts';
import { useToasts } from '../../ui/toast.tsx';
import type { Waiting } from '../../ui/waiting.ts';
import { useWaiting } from '../../ui/use-waiting.ts';
import { AnswerLabel } from './answer-label.tsx';
import { createAnswers } from './answers.ts';
import type { Answers, Job, Refusal } from './answers.ts';
import { setAnsweringCount } from './inbox-count.api.ts';
import { announceJoined, applyAnswered, applyWithdrawn, askForNews, setAnswering } from './invitation-cache.api.ts';
import { words } from './invitation-words.ts';
import type { Box } from './invitations.api.ts';
import { sendAnswer } from './invitations.api.ts';

/** As many as there are places where things wait, which is one. */
const known = new WeakMap<Waiting, Answers>();

/** Elsewhere than in the inbox nobody sees the row that a refused answer comes back to. */
const rowsInSight = () => document.querySelector('[data-answers]') !== null;

/** What is answered goes on while one looks at other pages. */
export function useAnswers(): Answers {
  const waiting = useWaiting();
  const client = useQueryClient();
  const toasts = useToasts();
  let answers = known.get(waiting);
  if (!answers) {
    answers = connect({ waiting, client, show: toasts.show });
    known.set(waiting, answers);
  }
  return answers;
}

function connect({
  waiting,
  client,
  show,
}: {
  waiting: Waiting;
  client: QueryClient;
  show: ReturnType<typeof useToasts>['show'];
}): Answers {
  const answers = createAnswers({
    waiting,
    send: sendAnswer,
    label: (props) => createElement(AnswerLabel, props),
    onAnswered(done) {
      applyAnswered({ client, answered: done.flatMap(({ invitation }) => invitation ?? []) });
      const gone = done.filter(({ invitation }) => invitation === null).map(({ item }) => item.id);
      applyWithdrawn({ client, ids: new Set(gone) });
    },
    onRefused({ answer, error }) {
      if (rowsInSight()) return;
      show({ title: words.refused[answer], text: problemSentence(errorParts(error)), tone: 'bad' });
    },
    onEnd(answer) {
      void askForNews(client);
      if (answer === 'accept') announceJoined(client);
    },
    onCount: (count) => setAnsweringCount(client, count),
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  });
  setAnswering(client, (id) => answers.jobOf(id) !== undefined);
  return answers;
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
