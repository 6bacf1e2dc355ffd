import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Tick } from '../../ui/checkbox.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import type { BoardAct } from './board-job.ts';
import './board-selection-bar.css';
import { words } from './swarm-words.ts';
import type { BoardSelection } from './use-board-selection.ts';

const text = words.board;

/** How many are ticked and what is to become of them. It stands where the names of the columns stood: nothing jumps. */
export function BoardSelectionBar({
  selection,
  total,
  phone,
  onStart,
}: {
  selection: BoardSelection;
  /** How many could be ticked. */
  total: number;
  phone: boolean;
  onStart(act: BoardAct): void;
}) {
  const keys = useKeysEnabled();
  const { items, reading, all, clear } = selection;
  const count = items.length;
  const counted = formatNumber(count);
  const whole = count >= total;
  const acts = (
    <>
      <Button look="accent" size="row" onClick={() => onStart('send_again')}>
        {text.ticked_again(count, counted)}
      </Button>
      <Button look="quiet" size="row" onClick={() => onStart('withdraw')}>
        {text.ticked_withdraw(count, counted)}
      </Button>
    </>
  );
  return (
    <div className="board-selection">
      <div className="board-selection-line">
        <Tick label={text.tick_all} checked={whole} partly={!whole} onTick={() => (whole ? clear() : void all())} />
        <output className="board-selection-count numbers">{text.ticked(counted)}</output>
        {!whole && (
          <Button look="quiet" size="row" busy={reading} onClick={() => void all()}>
            {text.tick_all_of(formatNumber(total))}
          </Button>
        )}
        <Button look="quiet" size="row" onClick={clear}>
          {text.untick}
          {keys && <KeyHint keys="Esc" />}
        </Button>
        {!phone && <span className="board-selection-acts">{acts}</span>}
      </div>
      {phone && <div className="board-selection-acts">{acts}</div>}
    </div>
  );
}
