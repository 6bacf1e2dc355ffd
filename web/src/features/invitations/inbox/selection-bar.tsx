import { formatNumber } from '../../../text/text.ts';
import { SelectionLine } from '../../../ui/selection-line.tsx';
import { words } from '../invitation-words.ts';
import './selection-bar.css';
import type { Inbox } from './use-inbox.ts';

/** It stands where the search stood: nothing jumps. */
export function SelectionBar({ inbox }: { inbox: Inbox }) {
  const { tickedItems, openTotal, selecting, open } = inbox;
  const count = tickedItems.length;
  return (
    <div className="selection-bar">
      <SelectionLine
        tick={words.select_all}
        count={words.selected(formatNumber(count))}
        whole={count >= openTotal}
        all={
          selecting
            ? words.selecting(formatNumber(open.rows.length), formatNumber(open.total))
            : words.select_all_of(formatNumber(openTotal))
        }
        busy={selecting}
        clear={words.clear}
        onAll={() => void inbox.selectAll()}
        onClear={inbox.clear}
      />
    </div>
  );
}
