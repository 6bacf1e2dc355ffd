/**
 * A double tap: two clicks within this time in ms and this distance in px. With a mouse, the browser must also report a
 * double click; browsers on phones do not report it for taps.
 */
const limits = { time: 400, distance: 24 };

const controls = 'button, a[href], summary, input, select, textarea, [role="menuitem"], [role="option"]';

/** The control that a click presses; outside of controls, the element itself. */
function pressedBy(target: Element): Element {
  return target.closest('label')?.control ?? target.closest(controls) ?? target;
}

/**
 * Ignores the second click of a double tap if it hits another control than the first one. That control has just
 * appeared under the finger, like Undo in the place of Reject. Clicks by keyboard (`detail` 0) always count.
 */
export function ignoreStraySecondClicks(document: Pick<Document, 'addEventListener' | 'removeEventListener'>) {
  let first: { control: Element; at: number; x: number; y: number } | null = null;
  const onClick = (event: MouseEvent & { pointerType?: string }) => {
    const { timeStamp: at, clientX: x, clientY: y, detail: count, pointerType } = event;
    if (count === 0) return;
    const control = pressedBy(event.target as Element);
    const isNear = first && at - first.at < limits.time && Math.hypot(x - first.x, y - first.y) < limits.distance;
    const isSecond = isNear && (pointerType !== 'mouse' || count > 1);
    if (!first || !isSecond || control === first.control) {
      first = { control, at, x, y };
      return;
    }
    first.at = at;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('click', onClick, { capture: true });
  return () => document.removeEventListener('click', onClick, { capture: true });
}
