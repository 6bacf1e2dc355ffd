import { lastMove } from '../../api/connection-status.ts';
import { formatClock, formatRelative, t } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { useLiveState } from './use-live-state.ts';
import type { Answered } from './use-live-state.ts';
import { useServerClock } from './use-server-clock.ts';
import './wall-live.css';

/** The connection status and the age of the newest change. `newest` is from the last counts. */
export function WallLive({
  answered,
  audience,
  newest,
}: {
  answered: Answered;
  audience: string;
  newest: string | null;
}) {
  const { state, since } = useLiveState(answered);
  const now = useServerClock();
  if (state !== 'live') {
    return (
      <p className={`wall-live wall-live-${state}`}>
        {state === 'lost' && <Icon name="cloud-off" size={16} />}
        {state === 'lost' ? t.wall.not_live(formatClock(since)) : t.wall.starting}
      </p>
    );
  }
  const at = Math.max(lastMove(audience) ?? 0, newest === null ? 0 : Date.parse(newest));
  return (
    <p className="wall-live">
      <span className="wall-live-dot" />
      <strong>{t.wall.live}</strong>
      {at > 0 && <span className="wall-live-age numbers">{formatRelative(new Date(at).toISOString(), now)}</span>}
    </p>
  );
}
