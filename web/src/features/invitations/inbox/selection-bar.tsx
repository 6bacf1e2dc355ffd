import { formatNumber, t } from '../../../text/text.ts';
import { SelectionLine } from '../../../ui/selection-line.tsx';
import type { Inbox } from './use-inbox.ts';
import './inbox-page.css';

/** Replaces the search field, in the same space. */
export function SelectionBar({ inbox }: { inbox: Inbox }) {
  const { tickedItems, openTotal, selecting, open } = inbox;
  const count = tickedItems.length;
  return (
    <div className="selection-bar">
      <SelectionLine
        tick={t.invitations.select_all}
        count={t.invitations.selected(formatNumber(count))}
        whole={count >= openTotal}
        all={
          selecting
            ? t.invitations.selecting(formatNumber(open.rows.length), formatNumber(open.total))
            : t.invitations.select_all_of(formatNumber(openTotal))
        }
        busy={selecting}
        clear={t.invitations.clear}
        onAll={() => void inbox.selectAll()}
        onClear={inbox.clear}
      />
    </div>
  );
}
