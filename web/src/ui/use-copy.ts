import { useToasts } from './toast.tsx';

/** Copies a text and says so, `refused` where the browser does not let it. */
export function useCopy(refused: string): (text: string, done: string) => void {
  const toasts = useToasts();
  return (text, done) =>
    void navigator.clipboard.writeText(text).then(
      () => toasts.show({ title: done, icon: 'check' }),
      () => toasts.show({ title: refused, tone: 'bad' }),
    );
}
