/** The sections of a virtual list, and where their rows are. */
import type { ReactNode } from 'react';
import { low } from '../browser/media.ts';

export interface Identified {
  id: string;
}

/** The loaded rows of a section. A changed row makes a new object. */
export interface ListRows {
  length: number;
  at(row: number): Identified | undefined;
  /** -1 if no row has this id. */
  indexOf(id: string): number;
}

export interface ListSection {
  label: string;
  /** The rows belong to a table. Its element, with the headings, is around the list. */
  isTable?: boolean;
  /** Scrolls with the rows. */
  head?: ReactNode;
  rows: ListRows;
  /** In px. */
  rowHeight: number;
  /** How many rows come before the loaded ones. */
  firstRow?: number;
  /** All rows, loaded or not. Default: the loaded ones. */
  count?: number;
  /** Loads all rows, so that End can go to the last one. */
  loadAll?: () => Promise<readonly Identified[]>;
  /** Called after each render with the visible rows, to load more. `end` is the row after the last one. */
  onVisible?: (visible: { start: number; end: number }) => void;
  /**
   * Draws a row, or a skeleton if the row is not loaded. The element that takes the focus has `tabIndex` and
   * `data-row={id}`.
   */
  renderRow: (row: number, tabIndex: 0 | -1) => ReactNode;
}

export interface VirtualListHandle {
  /** Moves the focus to a row if it is loaded; without an id, to the row that had it last, or to the empty list. */
  focus(id?: string): void;
  /** Scrolls to a row if it is loaded: as little as needed, or to the middle if the row is far away. */
  reveal(id: string): void;
  /** Moves the focus to the next or the previous row, or first of all into the list. */
  step(by: 1 | -1): void;
  /** The row that has the focus. */
  focused(): string | null;
  scrollToTop(): void;
}

export const countOf = ({ rows, firstRow = 0, count = 0 }: ListSection) => Math.max(firstRow + rows.length, count);

/** In px. Browsers draw nothing beyond 33.5 million px, Firefox beyond 17.9. */
export const tallest = 15_000_000;

/** The px of all rows, and how many of them are more than a list can be tall. Scrolling passes over these. */
export function heightOf(section: ListSection) {
  const height = countOf(section) * section.rowHeight;
  return { height, excess: Math.max(0, height - tallest) };
}

const share = (part: number, whole: number) => Math.min(Math.max(0, part / whole), 1);

/** How many px of rows have been passed over once a list is scrolled by `scrolled` px. */
export function passedOver(section: ListSection, view: Element, scrolled: number): number {
  const { excess } = heightOf(section);
  return excess === 0 ? 0 : excess * share(scrolled, tallest - view.clientHeight);
}

/** By how many px a list must be scrolled so that the view starts `place` px after the first row. */
export function scrollOf(section: ListSection, view: Element, place: number): number {
  const { height, excess } = heightOf(section);
  return excess === 0 ? place : place - excess * share(place, height - view.clientHeight);
}

/** Loaded rows of all sections as one sequence. */
export function sequenceOf(sections: readonly ListSection[]) {
  const length = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    length,
    idAt(index: number): string | null {
      let start = 0;
      for (const { rows } of sections) {
        if (index < start + rows.length) return rows.at(index - start)?.id ?? null;
        start += rows.length;
      }
      return null;
    },
    /** -1 if no section has this id. `label`: of the section that may have it. */
    indexOf(id: string | null, label?: string): number {
      let start = 0;
      for (const { rows, ...section } of sections) {
        const row = id === null || (label ?? section.label) !== section.label ? -1 : rows.indexOf(id);
        if (row >= 0) return start + row;
        start += rows.length;
      }
      return -1;
    },
    /** The section that holds a row, and the index after its last row. */
    sectionAt(index: number) {
      let end = 0;
      for (const section of sections) {
        end += section.rows.length;
        if (index < end) return { section, end };
      }
      return undefined;
    },
  };
}

/**
 * The element that scrolls the rows: the list itself, or a part of the page around it, if the list has the class `in-page`
 * or the screen is low.
 */
export function viewOf(list: Element): Element {
  if (!list.matches('.in-page') && !matchMedia(low).matches) return list;
  for (let at: Element | null = list; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.documentElement;
}

/** How far an element is from the start of what scrolls it, in px. The scroller must be positioned, or the whole page. */
export function topIn(view: Element, element: HTMLElement): number {
  let top = 0;
  for (let at: Element | null = element; at instanceof HTMLElement && at !== view; at = at.offsetParent) {
    top += at.offsetTop;
  }
  return top;
}
