import { ProblemError, errorParts } from '../../api/problem.ts';
import { problemSentence, t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';

/** The reason why the wall cannot be shown, if any: deleted, no access, or not loaded. */
export function wallFault({ error, hasCounts }: { error: unknown; hasCounts: boolean }) {
  const status = error instanceof ProblemError ? error.problem.status : 0;
  if (status === 404) return 'gone';
  if (status === 403) return 'left';
  return error && !hasCounts ? 'failed' : null;
}

export function WallFault({
  fault,
  error,
  busy,
  leaveTo,
  onRetry,
}: {
  fault: NonNullable<ReturnType<typeof wallFault>>;
  error: unknown;
  busy: boolean;
  leaveTo: string;
  onRetry(): void;
}) {
  if (fault === 'failed') {
    return (
      <div role="alert">
        <Empty level={1} icon="cloud-off" title={t.wall.failed_title} text={problemSentence(errorParts(error))}>
          <Button busy={busy} onClick={onRetry}>
            {t.wall.retry}
          </Button>
          <ButtonLink to={leaveTo}>{t.wall.leave}</ButtonLink>
        </Empty>
      </div>
    );
  }
  const gone = fault === 'gone';
  return (
    <div role="alert">
      <Empty
        level={1}
        icon={gone ? 'search' : 'eye-off'}
        title={gone ? t.wall.gone_title : t.wall.left_title}
        text={gone ? t.wall.gone_swarm : t.wall.left_text}
      >
        <ButtonLink to="/swarms">{t.wall.to_swarms}</ButtonLink>
      </Empty>
    </div>
  );
}

/** Shown if there are no devices, or none has a position. */
export function WallEmpty({ text, title }: { title: string; text: string }) {
  return (
    <output className="wall-off wall-empty">
      <strong>{title}</strong>
      {text}
    </output>
  );
}
