import { formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionLine } from '../../../ui/selection-line.tsx';
import { words } from '../swarm-words.ts';
import type { BoardAct } from './board-job.ts';
import './board-selection-bar.css';
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
  const { items, reading, all, clear } = selection;
  const count = items.length;
  const counted = formatNumber(count);
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
      <SelectionLine
        tick={text.tick_all}
        count={text.ticked(counted)}
        whole={count >= total}
        all={text.tick_all_of(formatNumber(total))}
        busy={reading}
        clear={text.untick}
        onAll={() => void all()}
        onClear={clear}
      >
        {!phone && <span className="board-selection-acts">{acts}</span>}
      </SelectionLine>
      {phone && <div className="board-selection-acts">{acts}</div>}
    </div>
  );
}
