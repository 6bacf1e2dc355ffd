import { errorSentence, isSignedOut } from '../../api/problem.ts';
import { useToasts } from '../../ui/toast.tsx';

/** Shows a toast for a failed action. An ended session has its own dialog instead. */
export function useErrorToast(): (title: string, error: unknown) => void {
  const { show } = useToasts();
  return (title, error) => {
    if (!isSignedOut(error)) show({ title, text: errorSentence(error), tone: 'bad', icon: 'warning' });
  };
}
