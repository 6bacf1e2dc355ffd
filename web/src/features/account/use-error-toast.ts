import { errorSentence, isSignedOut } from '../../api/problem.ts';
import { useToasts } from '../../ui/toast.tsx';

/** Shows a toast for an error of an action without a form. An ended session has its own dialog instead. */
export function useErrorToast(): (error: unknown) => void {
  const { show } = useToasts();
  return (error) => {
    if (!isSignedOut(error)) show({ title: errorSentence(error), tone: 'bad', icon: 'warning' });
  };
}
