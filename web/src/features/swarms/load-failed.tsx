import { errorSentence } from '../../api/problem.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';

/** An error state with a Retry button. */
export function LoadFailed({
  title,
  error,
  busy,
  level = 2,
  onRetry,
}: {
  title: string;
  error: Error;
  busy: boolean;
  level?: 1 | 2;
  onRetry(): void;
}) {
  return (
    <div role="alert">
      <Empty level={level} icon="cloud-off" title={title} text={errorSentence(error)}>
        <Button busy={busy} onClick={onRetry}>
          {t.swarms.retry}
        </Button>
      </Empty>
    </div>
  );
}
