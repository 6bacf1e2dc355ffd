import { t } from '../text/text.ts';
import { useToasts } from './toast.tsx';

interface ClosingOptions {
  /** The dialog sends a request. */
  busy: boolean | undefined;
  /** Said if it is closed meanwhile. */
  closingNote?: string | undefined;
  onClose(): void;
}

/**
 * Closes a dialog, also while it sends: a network may leave its request without an answer for a minute. Then a toast says that
 * it was sent, and another one if it fails (failure-toasts.ts).
 */
export function useClosing({ busy, closingNote, onClose }: ClosingOptions): () => void {
  const { show } = useToasts();
  return () => {
    if (busy) show({ title: closingNote ?? t.shell.sending.is_sent, icon: 'clock' });
    onClose();
  };
}
