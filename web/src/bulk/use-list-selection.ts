import { useCallback, useEffect } from 'react';
import { t } from '../text/text.ts';
import {
  allSelected,
  countSelected,
  isSelected,
  noSelection,
  toggle,
  toggleRange,
  type Selection,
} from '../ui/lists/selection.ts';
import { useStableFunctions } from '../ui/browser/stable-functions.ts';
import { useToasts } from '../ui/toasts/toast.tsx';
import { useUnsavedInput } from '../ui/fields/unsaved-input.ts';

/** A selection as a list stores it. `filters`: what `all` means. */
interface StoredSelection<Filters> extends Selection {
  filters: Filters;
  isActive: boolean;
}

export function nothingSelected<Filters>(filters: Filters): StoredSelection<Filters> {
  return { ...noSelection, filters, isActive: false };
}

// A value that is shown leaves nobody out.
const matching = (filters: unknown) =>
  JSON.stringify(filters, (name, value: unknown) => (name === 'values' ? undefined : value));

interface ListSelectionOptions<Filters> {
  stored: StoredSelection<Filters>;
  update(change: (now: StoredSelection<Filters>) => StoredSelection<Filters>): void;
  /** Called before another selection replaces this one. */
  onReplace?(): void;
  /** Called when a selection ends by itself; by default, a toast says so. */
  onEnd?(): void;
  /** False: the list has rows that cannot be selected. */
  isPossible?: boolean;
  /** Always with the same order of names. */
  filters: Filters;
  /** The rows of other filters are still shown. */
  isOld: boolean;
  /** The ids of the loaded rows that can be selected, in their order. */
  order(): string[];
  /** How many rows can be selected. */
  total: number | undefined;
}

/** The selected rows of a list, and selecting them. Selecting all requests nothing: an action reads the rows when it starts. */
export function useListSelection<Filters>({
  stored,
  update,
  onReplace,
  onEnd,
  isPossible = true,
  filters,
  isOld,
  order,
  total,
}: ListSelectionOptions<Filters>) {
  const { show } = useToasts();
  // "All" of other filters would be other rows.
  const isOutdated = (selection: StoredSelection<Filters>) =>
    isPossible ? selection.all && matching(selection.filters) !== matching(filters) : selection.isActive;
  const currentOf = (one: StoredSelection<Filters>) => (isOutdated(one) ? nothingSelected(filters) : one);
  const selection = currentOf(stored);
  const count = countSelected(selection, total ?? 0);
  // One row is selected again with a click.
  useUnsavedInput(count > 1, 'chosen');
  useEffect(() => {
    if (selection === stored) return;
    update(() => selection);
    if (!stored.all && stored.ids.size < 2) return;
    if (onEnd) onEnd();
    else show({ title: t.devices.selection.ended });
  });
  const set = (next: Selection | ((before: Selection) => Selection), isActive?: boolean) => {
    onReplace?.();
    update((before) => {
      const chosen = typeof next === 'function' ? next(currentOf(before)) : next;
      return { ...chosen, filters, isActive: isActive ?? chosen.ids.size > 0 };
    });
  };
  /** Each row that can be selected; undefined if some are not loaded, or "all" are selected. */
  const loaded = () => (!isOld && !selection.all && order().length === total ? order() : undefined);
  const among = loaded();
  return {
    checked: {
      selection,
      /** Rows show their checkboxes, and on touch screens a tap selects. */
      isActive: selection.isActive,
      count,
      total,
      /** How many selected rows are not in the list, because it has other filters now. 0 if only a part of the list is loaded. */
      hidden: among ? count - among.filter((id) => selection.ids.has(id)).length : 0,
      /** Whether all of them are known to be selected. */
      isWhole: selection.all ? selection.ids.size === 0 : !!among?.[0] && among.every((id) => selection.ids.has(id)),
      has: useCallback((id: string) => isSelected(selection, id), [selection]),
    },
    check: useStableFunctions({
      /** `range`: with all rows from the last selected one. */
      toggle(id: string, range: boolean) {
        update((before) => {
          const now = currentOf(before);
          const next = range ? toggleRange(now, id, order()) : toggle(now, id);
          return { ...next, filters, isActive: next.all || next.ids.size > 0 };
        });
      },
      /** Shows the checkboxes. */
      begin: () => set(noSelection, true),
      /** All rows that match, loaded or not. Those that are loaded stay selected while others are shown. */
      all() {
        const ids = loaded();
        // A list without filters has each row that exists: others were deleted, or belong to somebody else now.
        const hasAll = matching(filters) === '{}';
        set(
          ids ? (before) => ({ ...before, ids: new Set([...(hasAll ? [] : before.ids), ...ids]) }) : allSelected,
          true,
        );
      },
      /** None of them. Those of other lists stay selected. */
      none() {
        const shown = loaded();
        set(({ ids }) => ({ ...noSelection, ids: new Set(shown && [...ids].filter((id) => !shown.includes(id))) }));
      },
      clear: () => set(noSelection, false),
    }),
  };
}
