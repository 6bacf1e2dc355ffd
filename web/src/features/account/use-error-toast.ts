import { isSignedOut } from '../../api/problem.ts';
import { useToasts } from '../../ui/toast.tsx';
import { errorText } from './error-text.ts';

/** Says what went wrong with a click that has no form. An ended session has its own dialog and is not said twice. */
export function useErrorToast(): (error: unknown) => void {
  const { show } = useToasts();
  return (error) => {
    if (!isSignedOut(error)) show({ title: errorText(error), tone: 'bad', icon: 'warning' });
  };
}
