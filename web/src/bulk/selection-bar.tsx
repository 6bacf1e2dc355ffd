import type { ReactNode, RefObject } from 'react';
import { formatNumber, t } from '../text/text.ts';
import { useBackCloses } from '../ui/dialogs/back-closes.ts';
import { Button, IconButton } from '../ui/buttons/button.tsx';
import { RowCheckbox } from '../ui/lists/row-checkbox.tsx';
import { touch, useMedia } from '../ui/browser/media.ts';
import { useFocusRestore } from '../ui/browser/use-focus-restore.ts';
import './selection-bar.css';
import type { useListSelection } from './use-list-selection.ts';

type ListSelection = ReturnType<typeof useListSelection>;

interface SelectionBarProps {
  checked: Pick<ListSelection['checked'], 'count' | 'total' | 'isWhole'> & { hidden?: number; isReading?: boolean };
  check: Pick<ListSelection['check'], 'all' | 'none' | 'clear'>;
  /** How far the rows to select are read, while they are. */
  progress?: string | undefined;
  list: RefObject<{ focus(): void } | null>;
  children?: ReactNode;
}

/**
 * The number of selected rows and their actions. It replaces the toolbar or the column headings of its list, which gets
 * the focus when the bar disappears with it. On touch screens, Back ends the selection.
 */
export function SelectionBar({
  checked: { count, total, isWhole, hidden = 0, isReading = false },
  check: { all, none, clear },
  progress,
  list,
  children,
}: SelectionBarProps) {
  const text = t.bulk.selection;
  const totalText = total === undefined ? '…' : formatNumber(total);
  const focusRestore = useFocusRestore(() => list.current?.focus());
  useBackCloses(useMedia(touch), clear);
  return (
    <section className="selection-bar" aria-label={text.region} {...focusRestore}>
      <RowCheckbox
        label={text.all(totalText)}
        checked={isWhole}
        partly={!isWhole && count > 0}
        onToggle={isWhole ? none : all}
      />
      <div className="selection-count">
        <output className="numbers one-line">
          {text.count(isWhole && total === undefined ? totalText : formatNumber(count))}
        </output>
        {hidden > 0 && <p className="selection-hidden numbers one-line">{text.hidden(formatNumber(hidden))}</p>}
      </div>
      {!isWhole && total !== 0 && (
        <Button look="quiet" size="row" busy={isReading} onClick={all}>
          {progress ?? text.all_short(totalText)}
        </Button>
      )}
      <div className="selection-actions">{children}</div>
      <IconButton icon="close" look="quiet" label={text.clear} onClick={clear} />
    </section>
  );
}
