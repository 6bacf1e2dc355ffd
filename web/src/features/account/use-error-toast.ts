import { isSignedOut } from '../../api/problem.ts';
import { useToasts } from '../../ui/toast.tsx';
import { errorText } from './error-text.ts';

/** Shows a toast for an error of an action without a form. An ended session has its own dialog instead. */
export function useErrorToast(): (error: unknown) => void {
  const { show } = useToasts();
  return (error) => {
    if (!isSignedOut(error)) show({ title: errorText(error), tone: 'bad', icon: 'warning' });
  };
}
