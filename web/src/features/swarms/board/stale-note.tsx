import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useBoardActs } from './use-board-acts.tsx';
import './board.css';

/** The number of invitations without an answer for a long time, with buttons to send them again or withdraw them. */
export function StaleNote({ swarm, count }: { swarm: SwarmItem; count: number }) {
  const acts = useBoardActs(swarm);
  return (
    <div className="stale-note">
      <Icon name="warning" />
      <p>
        <b>{t.board.stale_title(count)}</b> {t.board.stale_text}
      </p>
      <div className="stale-note-acts">
        <Button size="small" busy={acts.reading} onClick={() => void acts.startStale('send_again')}>
          {t.board.send_all(count)}
        </Button>
        <Button size="small" busy={acts.reading} onClick={() => void acts.startStale('withdraw')}>
          {t.board.withdraw_all(count)}
        </Button>
      </div>
    </div>
  );
}
