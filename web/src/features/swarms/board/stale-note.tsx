import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { words } from '../swarm-words.ts';
import './stale-note.css';
import { useBoardActs } from './use-board-acts.tsx';

const text = words.board;

/** One sentence about all that nobody has answered for long, and two buttons. */
export function StaleNote({ swarm, count }: { swarm: SwarmItem; count: number }) {
  const acts = useBoardActs(swarm);
  const counted = formatNumber(count);
  return (
    <div className="stale-note">
      <Icon name="warning" />
      <p>
        <b>{text.stale_title(count, counted)}</b> {text.stale_text(count)}
      </p>
      <div className="stale-note-acts">
        <Button size="small" busy={acts.reading} onClick={() => void acts.startStale('send_again')}>
          {text.send_all(count, counted)}
        </Button>
        <Button size="small" busy={acts.reading} onClick={() => void acts.startStale('withdraw')}>
          {text.withdraw_all(count, counted)}
        </Button>
      </div>
    </div>
  );
}
