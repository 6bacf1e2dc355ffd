/**
 * A request may fail after what has sent it was closed, such as a dialog: then a toast says so. A dialog needs to do nothing for
 * that; `meta.failure` of its mutation can say what has failed.
 */
import { useQueryClient, type Mutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { isOutcomeUnknown, needsConfirmation, OfflineError, ProblemError } from '../data/problem.ts';
import { t } from '../text/text.ts';
import { useErrorToast } from './toast.tsx';

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

export function FailureToasts(): null {
  const client = useQueryClient();
  const showError = useErrorToast();
  const report = useEffectEvent(({ meta }: Mutation, error: unknown) =>
    showError(error, meta?.failure?.() ?? t.shell.sending.failed),
  );
  useEffect(() => {
    /** Nothing shows them any more. */
    const closed = new WeakSet<Mutation>();
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = client.getMutationCache().subscribe((event) => {
      if (event.type === 'observerAdded') closed.delete(event.mutation);
      else if (event.type === 'observerRemoved') closed.add(event.mutation);
      else if (event.type === 'updated' && event.action.type === 'error') {
        const { mutation } = event;
        const { error } = event.action;
        const reportIfClosed = () => closed.has(mutation) && isFailure(error) && report(mutation, error);
        // If it was done after all, what is read again removes what shows the error, such as the row of an offer.
        if (isOutcomeUnknown(error)) timers.add(setTimeout(reportIfClosed, removedAfter));
        else reportIfClosed();
      }
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [client]);
  return null;
}
