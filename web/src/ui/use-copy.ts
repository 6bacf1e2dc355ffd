import { useToasts } from './toast.tsx';

/** Copies a text and shows a toast: `done`, or `failed` if the browser does not allow it. */
export function useCopy(failed: string): (text: string, done: string) => void {
  const toasts = useToasts();
  return (text, done) =>
    void navigator.clipboard.writeText(text).then(
      () => toasts.show({ title: done, icon: 'check' }),
      () => toasts.show({ title: failed, tone: 'bad' }),
    );
}
