import { t } from '../../text/text.ts';
import { useToasts } from '../toasts/toast.tsx';

/** Copies a text and shows a toast: `done`, or that the browser does not allow it. */
export function useCopy(): (text: string, done: string) => void {
  const toasts = useToasts();
  return (text, done) =>
    void navigator.clipboard.writeText(text).then(
      () => toasts.show({ title: done, icon: 'check' }),
      () => toasts.show({ title: t.shell.kit.not_copied, tone: 'bad' }),
    );
}
