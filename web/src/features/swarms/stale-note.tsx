import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWaitingItem } from '../../ui/waiting-provider.tsx';
import './stale-note.css';
import { words } from './swarm-words.ts';
import { useBoardActs } from './use-board-acts.tsx';
import { withdrawStaleKey } from './waiting-keys.ts';

const text = words.board;

/** One sentence about all that nobody has answered for long, and two buttons. */
export function StaleNote({ swarm, count }: { swarm: SwarmItem; count: number }) {
  const acts = useBoardActs(swarm);
  const going = useWaitingItem(withdrawStaleKey(swarm.id)) !== undefined;
  const counted = formatNumber(count);
  return (
    <div className="stale-note">
      <Icon name="warning" />
      <p>
        <b>{text.stale_title(count, counted)}</b> {text.stale_text(count)}
      </p>
      <div className="stale-note-acts">
        <Button size="small" disabled={going} busy={acts.busy.size > 0} onClick={() => void acts.sendAllAgain()}>
          {text.send_all(count, counted)}
        </Button>
        <Button size="small" disabled={going} onClick={() => void acts.withdrawAll()}>
          {text.withdraw_all(count, counted)}
        </Button>
      </div>
    </div>
  );
}
