import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionLine } from '../../../ui/selection-line.tsx';
import type { BoardAction } from './board.job.tsx';
import type { BoardSelection } from './use-board-selection.ts';
import './board.css';

/** The number of selected invitations and their actions. It replaces the column headings in the same space. */
export function BoardSelectionBar({
  selection,
  total,
  phone,
  onStart,
}: {
  selection: BoardSelection;
  /** The number of rows that can be selected. */
  total: number;
  phone: boolean;
  onStart(act: BoardAction): void;
}) {
  const { items, reading, all, clear } = selection;
  const count = items.length;
  const counted = formatNumber(count);
  const actions = (
    <>
      <Button look="accent" size="row" onClick={() => onStart('send_again')}>
        {t.board.selected_send_again(count)}
      </Button>
      <Button look="quiet" size="row" onClick={() => onStart('withdraw')}>
        {t.board.selected_withdraw(count)}
      </Button>
    </>
  );
  return (
    <div className="board-selection">
      <SelectionLine
        tick={t.board.select_all}
        count={t.board.selected(counted)}
        whole={count >= total}
        all={t.board.select_all_of(formatNumber(total))}
        busy={reading}
        clear={t.board.clear_selection}
        onAll={() => void all()}
        onClear={clear}
      >
        {!phone && <span className="board-selection-acts">{actions}</span>}
      </SelectionLine>
      {phone && <div className="board-selection-acts">{actions}</div>}
    </div>
  );
}
