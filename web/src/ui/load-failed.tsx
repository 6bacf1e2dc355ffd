import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { useUi } from './environment.tsx';

/** The error state of a page or list that could not be loaded, with a Retry button. */
export function LoadFailed({
  title,
  error,
  busy = false,
  level = 2,
  onRetry,
}: {
  title: string;
  error: unknown;
  busy?: boolean;
  level?: 1 | 2 | 3;
  onRetry(): void;
}) {
  const { words, errorSentence } = useUi();
  return (
    <div role="alert">
      <Empty level={level} icon="cloud-off" title={title} text={errorSentence(error)}>
        <Button busy={busy} onClick={onRetry}>
          {words.retry}
        </Button>
      </Empty>
    </div>
  );
}
