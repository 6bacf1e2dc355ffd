import type { ReactNode } from 'react';
import { formatNumber, t } from '../text/text.ts';
import { SelectionLine } from '../ui/selection-line.tsx';

/** The selected rows of a list. */
export interface ListSelection {
  /** Rows show their checkboxes, and on touch screens a tap selects. */
  isActive: boolean;
  isReading: boolean;
  count: number;
  /** How many rows can be selected. */
  total: number | undefined;
  /** Whether all of them are known to be selected. */
  isWhole: boolean;
  has(id: string): boolean;
  /** `range`: with all rows from the last selected one. */
  toggle(id: string, range: boolean): void;
  /** Shows the checkboxes. */
  begin(): void;
  /** All rows that match, loaded or not. */
  selectAll(): void;
  clear(): void;
}

/** The number of selected rows and their actions. It replaces the toolbar or the column headings of its list. */
export function SelectionBar({
  selection: { count, total = 0, isWhole, isReading, selectAll, clear },
  children,
}: {
  selection: Pick<ListSelection, 'count' | 'total' | 'isWhole' | 'isReading' | 'selectAll' | 'clear'>;
  children?: ReactNode;
}) {
  const text = t.devices.selection;
  return (
    <section className="selection-bar" aria-label={text.region}>
      <SelectionLine
        label={text.all(formatNumber(total))}
        count={text.count(formatNumber(count))}
        whole={isWhole}
        isEmpty={count === 0}
        all={text.all_short(formatNumber(total))}
        busy={isReading}
        clear={text.clear}
        isCompact
        onAll={selectAll}
        onClear={clear}
      >
        {/* An action would apply to the rows that were selected before. */}
        <fieldset className="selection-actions" disabled={isReading}>
          {children}
        </fieldset>
      </SelectionLine>
    </section>
  );
}
