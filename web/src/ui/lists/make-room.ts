import { viewOf } from './list-sections.ts';

/** In px. Rows must not move either when the view becomes higher: a notice has ended, or a phone's browser has hidden its bar. */
const mostGrowth = 96;

/**
 * For a `VirtualList` in which no row may move under a finger. Rows that fill less than the view cannot be scrolled: adds
 * space below them, until the list is at its top again.
 */
export function makeRoom(list: HTMLElement, scrollTop: number): void {
  const view = viewOf(list);
  const height = view.clientHeight;
  if (scrollTop === 0) list.style.paddingBlockEnd = '';
  // At the end, a fraction of a pixel may be scrolled further than these whole numbers say.
  if (view.scrollHeight - height + 1 >= scrollTop) return;
  list.style.paddingBlockEnd = `${height}px`;
  const excess = view.scrollHeight - height - scrollTop - mostGrowth;
  list.style.paddingBlockEnd = `${Math.max(0, height - excess)}px`;
}
