import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { countOf, sequenceOf, viewOf, type ListSection, type VirtualListHandle } from './list-sections.ts';
import { useFocusRestore } from '../browser/use-focus-restore.ts';

const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
  Home: -Infinity,
  End: Infinity,
};

interface RowFocusOptions {
  sections: readonly ListSection[];
  scroller: RefObject<HTMLDivElement | null>;
  /** The tab stop until the focus has been in the list. */
  selected: string | null;
  handle: Ref<VirtualListHandle> | undefined;
  /** A key moves the focus to this row. */
  onMove: ((id: string) => void) | undefined;
}

/**
 * The focus in a virtual list. One row is the tab stop (`tabId`), and keys move it from there. `reveals`: how each section
 * scrolls to one of its rows. `listeners` are those of the list's element.
 */
export function useRowFocus({ sections, scroller, selected, handle, onMove }: RowFocusOptions) {
  const [active, setActive] = useState<{ id: string; index: number; label: string | undefined } | null>(null);
  const sequence = sequenceOf(sections);
  const { length, indexOf } = sequence;
  const inSequence = (index: number) => Math.min(Math.max(0, index), length - 1);

  // The tab stop does not follow its row to another section, which may be far away.
  const activeAt = active ? indexOf(active.id, active.label) : -1;
  const tabAt = [activeAt, indexOf(selected), inSequence(active?.index ?? 0)].find((index) => index >= 0);
  const tabId = tabAt === undefined ? null : sequence.idAt(tabAt);

  const activate = (id: string) => {
    const index = indexOf(id);
    setActive({ id, index, label: sequence.sectionAt(index)?.section.label });
  };
  const { reveals, reveal, focusRow } = useFarRows(sections, scroller);
  const focus = (id: string | null, scrolls = true) => {
    if (id === null) return;
    activate(id);
    focusRow(id, scrolls);
  };
  const focusList = (scrolls = true) => {
    if (tabId === null) scroller.current?.focus();
    else focus(tabId, scrolls);
  };
  const focusRestore = useFocusRestore(() => {
    // Only the user scrolls: the focused row may be out of view.
    if (scroller.current) focusList(false);
    else document.querySelector('main')?.focus({ preventScroll: true });
  });
  // Not in the head of a section.
  const hasFocus = () => scroller.current?.contains(document.activeElement?.closest('.virtual-row') ?? null) ?? false;
  useImperativeHandle(handle, () => ({
    focus: (id) => {
      if (id === undefined) focusList();
      else if (indexOf(id) >= 0) focus(id);
    },
    reveal(id) {
      if (indexOf(id) < 0) return;
      reveal(id);
      activate(id);
    },
    step: (by) => focus(hasFocus() ? sequence.idAt(inSequence((tabAt ?? 0) + by)) : tabId),
    focused: () => (hasFocus() ? tabId : null),
    scrollToTop: () => scroller.current && viewOf(scroller.current).scrollTo({ top: 0 }),
  }));

  const onKeyDown = keysOf({
    sections,
    sequence,
    tabAt,
    move(id) {
      if (id !== null) onMove?.(id);
      focus(id);
    },
  });
  const onFocus = (event: FocusEvent) => {
    focusRestore.onFocus(event);
    const id = event.target.closest('.virtual-row')?.querySelector<HTMLElement>('[data-row]')?.dataset['row'];
    if (id !== undefined && id !== active?.id) activate(id);
  };
  return { tabId, reveals, listeners: { onKeyDown, onFocus, onBlur: focusRestore.onBlur } };
}

/** Scrolls to rows and focuses them, also those that are not rendered yet. */
function useFarRows(sections: readonly ListSection[], scroller: RefObject<HTMLDivElement | null>) {
  const wanted = useRef<{ id: string; scrolls: boolean } | null>(null);
  const reveals = useRef<(((row: number) => void) | null)[]>([]);
  const reveal = (id: string) => {
    const number = sections.findIndex(({ rows }) => rows.indexOf(id) >= 0);
    const section = sections[number];
    if (section) reveals.current[number]?.((section.firstRow ?? 0) + section.rows.indexOf(id));
  };
  const focusWanted = () => {
    if (!wanted.current) return;
    const { id, scrolls } = wanted.current;
    if (scrolls) reveal(id);
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  };
  // A row that is far away, or has just been loaded, must be rendered first.
  useEffect(focusWanted);
  return {
    reveals,
    reveal,
    focusRow(id: string, scrolls: boolean) {
      wanted.current = { id, scrolls };
      focusWanted();
    },
  };
}

interface KeysOptions {
  sections: readonly ListSection[];
  sequence: ReturnType<typeof sequenceOf>;
  /** The place of the tab stop. */
  tabAt: number | undefined;
  move(id: string | null): void;
}

/** Arrows, Page Up, Page Down, Home and End on a row. */
function keysOf({ sections, sequence, tabAt, move }: KeysOptions) {
  const goToEnd = async (section?: ListSection) => {
    try {
      const last = section?.loadAll ? (await section.loadAll()).at(-1) : section?.rows.at(section.rows.length - 1);
      move(last?.id ?? null);
    } catch {
      // The list shows the error, and the focus stays.
    }
  };
  return (event: KeyboardEvent) => {
    // Arrow keys in a menu of a row are handled by the menu.
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = steps[event.key];
    if (by === undefined || tabAt === undefined || !(event.target as Element).matches('[data-row]')) return;
    event.preventDefault();
    const at = sequence.sectionAt(tabAt);
    if (!at) return;
    const { section, end } = at;
    const isPartial = countOf(section) > (section.firstRow ?? 0) + section.rows.length;
    if (event.key === 'End') void goToEnd(isPartial || tabAt < end - 1 ? section : sections.at(-1));
    // Does not skip rows that are not loaded yet.
    else move(sequence.idAt(Math.max(0, Math.min(isPartial ? end - 1 : sequence.length - 1, tabAt + by))));
  };
}
