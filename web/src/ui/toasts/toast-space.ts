import { onNewPage } from '../../data/new-page.ts';

/** In px, of each list of toasts. */
const heights = new Map<HTMLElement, number>();
/** In px. */
let space = 0;

onNewPage(() => {
  heights.clear();
  set(0);
});

function set(px: number): void {
  space = px;
  document.documentElement.style.setProperty('--toast-space', px === 0 ? '' : `${px}px`);
}

const covered = () => [...heights.values()].reduce((sum, height) => sum + height, 0);

/** A ref of a list of toasts. What they cover at the end of a phone's page can be scrolled out of them (`--foot-space`). */
export function coversPage(list: HTMLElement | null) {
  if (!list) return undefined;
  const sizes = new ResizeObserver(() => {
    // An empty list has a padding.
    heights.set(list, list.childElementCount === 0 ? 0 : list.offsetHeight);
    if (covered() > space) set(covered());
  });
  sizes.observe(list);
  return () => {
    sizes.disconnect();
    heights.delete(list);
  };
}

/**
 * Call it when another page is shown. Until then, the space stays when a toast ends: the end of the page would move under a
 * finger.
 */
export const endToastSpace = (): void => set(covered());
