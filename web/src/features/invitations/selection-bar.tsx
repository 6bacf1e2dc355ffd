import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Tick } from '../../ui/checkbox.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import { words } from './invitation-words.ts';
import './selection-bar.css';
import type { Inbox } from './use-inbox.ts';

/** How many are ticked, and how to tick all that match or none. It stands where the search stood: nothing jumps. */
export function SelectionBar({ inbox }: { inbox: Inbox }) {
  const { tickedItems, openTotal, selecting } = inbox;
  const keys = useKeysEnabled();
  const count = tickedItems.length;
  const all = count >= openTotal;
  return (
    <div className="selection-bar">
      <Tick
        label={words.select_all}
        checked={all}
        partly={!all}
        onTick={() => (all ? inbox.clear() : void inbox.selectAll())}
      />
      <output className="selection-count numbers">{words.selected(formatNumber(count))}</output>
      {!all && (
        <Button look="quiet" size="row" busy={selecting} onClick={() => void inbox.selectAll()}>
          {selecting
            ? words.selecting(formatNumber(inbox.open.rows.length), formatNumber(inbox.open.total))
            : words.select_all_of(formatNumber(openTotal))}
        </Button>
      )}
      <Button look="quiet" size="row" onClick={inbox.clear}>
        {words.clear}
        {keys && <KeyHint keys="Esc" />}
      </Button>
    </div>
  );
}
