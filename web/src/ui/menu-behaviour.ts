const gap = 4;
const margin = 8;

/** Puts a popover below its button, above it where there is no room, and always on the screen. */
export function placePopover({ popover, anchor }: { popover: HTMLElement; anchor: HTMLElement }): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const rightToLeft = getComputedStyle(anchor).direction === 'rtl';
  const left = rightToLeft ? at.right - width : at.left;
  const below = at.bottom + gap;
  const top = below + height > innerHeight - margin ? Math.max(margin, at.top - gap - height) : below;
  // on a wall everything is larger, lengths that are set here too
  const zoom = popover.currentCSSZoom ?? 1;
  popover.style.left = `${Math.min(Math.max(margin, left), innerWidth - width - margin) / zoom}px`;
  popover.style.top = `${top / zoom}px`;
}

/** Moves the focus within a menu; false when the key means nothing there. */
export function stepFocus({ list, key }: { list: HTMLElement; key: string }): boolean {
  const items = [...list.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const last = items.length - 1;
  const steps: Record<string, number> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  let next = steps[key];
  if (next === undefined && key.length === 1 && key !== ' ') {
    const from = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    const found = from.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
    if (found) next = items.indexOf(found);
  }
  if (next === undefined) return false;
  items[next]?.focus();
  return true;
}
