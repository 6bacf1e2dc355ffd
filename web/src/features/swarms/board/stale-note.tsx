import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useBoardActions } from './use-board-actions.tsx';
import './board.css';

/** The number of invitations without an answer for a long time, with buttons to send them again or withdraw them. */
export function StaleNote({ swarm, count }: { swarm: SwarmItem; count: number }) {
  const actions = useBoardActions(swarm);
  return (
    <div className="line wraps stale-note">
      <Icon name="warning" />
      <p>
        <b>{t.board.stale_title(count)}</b> {t.board.stale_text}
      </p>
      <div className="line even-buttons">
        <Button size="small" busy={actions.reading} onClick={() => void actions.startStale('invite_again')}>
          {t.board.send_all(count)}
        </Button>
        <Button size="small" busy={actions.reading} onClick={() => void actions.startStale('withdraw')}>
          {t.board.withdraw_all(count)}
        </Button>
      </div>
    </div>
  );
}
