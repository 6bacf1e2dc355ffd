import type { ReactNode, RefObject } from 'react';
import { formatNumber, t } from '../text/text.ts';
import { useBackCloses } from '../ui/back-closes.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { RowCheckbox } from '../ui/checkbox.tsx';
import { touch, useMedia } from '../ui/media.ts';
import {
  allSelected,
  countSelected,
  isSelected,
  noSelection,
  toggle,
  toggleRange,
  type Selection,
} from '../ui/selection.ts';
import { useFocusRestore } from '../ui/use-focus-after-removal.ts';
import './selection-bar.css';

/** A selection as a list stores it. `filters`: what `all` means. */
export interface StoredSelection<Filters> extends Selection {
  filters: Filters;
  isActive: boolean;
}

export const nothingSelected = <Filters,>(filters: Filters): StoredSelection<Filters> => ({
  ...noSelection,
  filters,
  isActive: false,
});

interface ListSelectionOptions<Filters> {
  stored: StoredSelection<Filters>;
  update(change: (now: StoredSelection<Filters>) => StoredSelection<Filters>): void;
  filters: Filters;
  isSame(one: Filters, other: Filters): boolean;
  /** The ids of the loaded rows in their order, for ranges. */
  order(): string[];
  total: number | undefined;
}

/** The selected rows of a list. Selecting all requests nothing: an action reads the rows when it starts. */
export function useListSelection<Filters>({
  stored,
  update,
  filters,
  isSame,
  order,
  total,
}: ListSelectionOptions<Filters>) {
  // "All" of other filters would be other rows.
  const isOutdated = (selection: StoredSelection<Filters>) => selection.all && !isSame(selection.filters, filters);
  const selection: Selection & { isActive: boolean } = isOutdated(stored) ? nothingSelected(filters) : stored;
  const set = (next: Selection, isActive: boolean) => update(() => ({ ...next, filters, isActive }));
  return {
    selection,
    /** Rows show their checkboxes, and on touch screens a tap selects. */
    isActive: selection.isActive,
    count: countSelected(selection, total ?? 0),
    /** How many rows can be selected. */
    total,
    /** Whether all of them are known to be selected. */
    isWhole: selection.all && selection.ids.size === 0,
    has: (id: string) => isSelected(selection, id),
    /** `range`: with all rows from the last selected one. */
    toggle(id: string, range: boolean) {
      update((before) => {
        const now = isOutdated(before) ? noSelection : before;
        const next = range ? toggleRange(now, id, order()) : toggle(now, id);
        return { ...next, filters, isActive: next.all || next.ids.size > 0 };
      });
    },
    /** Shows the checkboxes. */
    begin: () => set(noSelection, true),
    /** All rows that match, loaded or not. */
    selectAll: () => set(allSelected, true),
    clear: () => set(noSelection, false),
  };
}

interface SelectionBarProps {
  selection: Pick<ReturnType<typeof useListSelection>, 'count' | 'total' | 'isWhole' | 'selectAll' | 'clear'> & {
    isReading?: boolean;
  };
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
  selection: { count, total, isWhole, isReading = false, selectAll, clear },
  progress,
  list,
  children,
}: SelectionBarProps) {
  const text = t.devices.selection;
  const totalText = total === undefined ? '…' : formatNumber(total);
  const focusRestore = useFocusRestore(() => list.current?.focus());
  useBackCloses(useMedia(touch), clear);
  return (
    <section className="selection-bar" aria-label={text.region} {...focusRestore}>
      <RowCheckbox
        label={text.all(totalText)}
        checked={isWhole}
        partly={!isWhole && count > 0}
        onToggle={isWhole ? clear : selectAll}
      />
      <output className="selection-count numbers one-line">
        {text.count(isWhole ? totalText : formatNumber(count))}
      </output>
      {!isWhole && (
        <Button look="quiet" size="row" busy={isReading} onClick={selectAll}>
          {progress ?? text.all_short(totalText)}
        </Button>
      )}
      {/* An action would apply to the rows that were selected before. */}
      <fieldset className="selection-actions" disabled={isReading}>
        {children}
      </fieldset>
      <IconButton icon="close" look="quiet" label={text.clear} onClick={clear} />
    </section>
  );
}
