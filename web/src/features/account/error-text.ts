import { errorParts, isSignedOut } from '../../api/problem.ts';
import { useToasts } from '../../ui/toast.tsx';
import { problemSentence } from '../../text/text.ts';

/** The message for an error on the account page. */
export function errorText(error: unknown): string {
  return problemSentence(errorParts(error));
}

/** Shows a toast for an error of an action without a form. An ended session has its own dialog instead. */
export function useErrorToast(): (error: unknown) => void {
  const { show } = useToasts();
  return (error) => {
    if (!isSignedOut(error)) show({ title: errorText(error), tone: 'bad', icon: 'warning' });
  };
}
