import { useQueryClient, type Mutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { useToasts, type Toast } from '../toasts/toast.tsx';

/**
 * What a toast says of a request that has succeeded. `renderShown` draws what is shown only once, such as a new key: the button of
 * the toast shows it.
 */
export type Outcome = Toast & { renderShown?: ((onClose: () => void) => ReactNode) | undefined };

/** The outcome of a dialog whose own toast says it, also after it was closed. */
export const saidByItself = () => null;

interface Closing {
  /** The toast that says that it was sent. */
  toast: number;
  /** Of the dialog. */
  title: ReactNode;
  outcome(data: unknown): Outcome | null;
}

/** The requests whose dialog was closed while they were sent. outcome-toasts.tsx says what has become of them. */
export const sentBefore = new WeakMap<Mutation, Closing>();

export interface ClosingOptions {
  /** The dialog sends a request. */
  busy: boolean | undefined;
  /** Said if it is closed meanwhile. */
  closingNote?: string | undefined;
  /** Said if the request then succeeds: by default, that `title` is done. Null if the dialog itself has said it. */
  outcome?: ((data: unknown) => Outcome | null) | undefined;
  title: ReactNode;
  onClose(): void;
}

/** In seconds: by then, a request has ended. */
const longest = 60;

/**
 * Closes a dialog, also while it sends: a network may leave its request without an answer for a minute. Then a toast says that
 * it was sent, and another one what has become of it (outcome-toasts.tsx).
 */
export function useClosing({ busy, closingNote, outcome, title, onClose }: ClosingOptions): () => void {
  const client = useQueryClient();
  const { show } = useToasts();
  return () => {
    if (busy) {
      const toast = show({ title: closingNote ?? t.shell.sending.is_sent, icon: 'clock', seconds: longest });
      const done = (): Outcome => ({ title, text: t.shell.sending.done, icon: 'check' });
      const closing = { toast, title, outcome: outcome ?? done };
      for (const mutation of client.getMutationCache().findAll({ status: 'pending' }))
        sentBefore.set(mutation, closing);
    }
    onClose();
  };
}
