/**
 * A request may end after what has sent it was closed, such as a dialog: then a toast says whether it has failed, and also that it
 * has succeeded if the dialog was closed while it was sent (use-closing.ts). `meta.failure` of a mutation can say what has failed.
 */
import { useQueryClient, type Mutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isOutcomeUnknown, needsConfirmation, OfflineError, ProblemError } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { useErrorToast, useToasts } from './toast.tsx';
import { sentBefore, type Outcome } from '../dialogs/use-closing.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The session ends with it. */
      ends_session?: boolean;
      /** What has failed, as the title of a toast. */
      failure?: () => string;
    };
  }
}

/** Not what the user has cancelled in a question of the browser or of the app. */
const isFailure = (error: unknown) =>
  error instanceof OfflineError || (error instanceof ProblemError && !needsConfirmation(error));

/** In ms: longer than a render, and shorter than it takes somebody to read an error and close it. */
const removedAfter = 100;

export function OutcomeToasts() {
  const client = useQueryClient();
  const { show, dismiss } = useToasts();
  const showError = useErrorToast();
  const [{ renderShown }, setShown] = useState<Pick<Outcome, 'renderShown'>>({});
  /** The toasts that can show something. They end with the session. */
  const withShown = useRef<number[]>([]);
  const reportFailure = useEffectEvent((mutation: Mutation, error: unknown) =>
    showError(error, mutation.meta?.failure?.() ?? t.shell.sending.failed, sentBefore.get(mutation)?.title),
  );
  const reportSuccess = useEffectEvent((outcome: Outcome | null) => {
    if (!outcome) return;
    const { renderShown: opened, ...toast } = outcome;
    if (opened) {
      const action = { label: t.shell.sending.show, onAction: () => setShown({ renderShown: opened }) };
      withShown.current.push(
        show({ text: t.shell.sending.shown_once, ...toast, icon: 'check', action, seconds: Infinity }),
      );
    } else show(toast);
  });
  useEffect(() => {
    const keys = withShown.current;
    return () => keys.forEach((key) => dismiss(key));
  }, [dismiss]);
  useEffect(() => {
    /** Nothing shows them any more. */
    const closed = new WeakSet<Mutation>();
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = client.getMutationCache().subscribe((event) => {
      if (event.type === 'observerAdded') closed.delete(event.mutation);
      else if (event.type === 'observerRemoved') closed.add(event.mutation);
      else if (event.type === 'updated') {
        const { mutation, action } = event;
        if (action.type !== 'error' && action.type !== 'success') return;
        const sent = sentBefore.get(mutation);
        if (sent) dismiss(sent.toast);
        const reportIfClosed = () => {
          if (!closed.has(mutation)) return;
          if (action.type === 'success') reportSuccess(sent ? sent.outcome(action.data) : null);
          else if (isFailure(action.error)) reportFailure(mutation, action.error);
        };
        // If it was done after all, what is read again removes what shows the error, such as the row of an offer.
        if (action.type === 'error' && isOutcomeUnknown(action.error))
          timers.add(setTimeout(reportIfClosed, removedAfter));
        else reportIfClosed();
      }
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client, dismiss]);
  return renderShown?.(() => setShown({}));
}
