/**
 * A double tap: two clicks within `time` in ms (`acts`, if one of them presses a control that acts) and `distance` in px.
 * With a mouse, the browser must also report a double click; browsers on phones do not report it for taps.
 */
const limits = { time: 400, acts: 700, distance: 24 };

const controls = 'button, a[href], summary, input, select, textarea, [role="menuitem"], [role="option"]';
/** `Button` marks them. */
const acting = '[data-acts], [role="menuitem"]';

/** The control that a click presses; outside of controls, the element itself. */
function pressedBy(target: Element): Element {
  return target.closest('label')?.control ?? target.closest(controls) ?? target;
}

/**
 * Ignores the second click of a double tap if it hits another control than the first one. That control has just
 * appeared under the finger, like Undo in the place of Reject. A control that acts takes no second click in that time
 * either: it may be about the next record, like Accept. Clicks by keyboard (`detail` 0) always count, and after typing or a
 * key, such as Escape in the dialog that the first click has opened, a click is a first one.
 */
export function ignoreStraySecondClicks(document: Pick<Document, 'addEventListener' | 'removeEventListener'>) {
  let first: { control: Element; acts: boolean; at: number; x: number; y: number } | null = null;
  const onClick = (event: MouseEvent & { pointerType?: string }) => {
    const { timeStamp: at, clientX: x, clientY: y, detail: count, pointerType } = event;
    if (count === 0) return;
    const control = pressedBy(event.target as Element);
    const acts = control.matches(acting);
    if (!first || !isStray(first)) {
      first = { control, acts, at, x, y };
      return;
    }
    if (control !== first.control) first.at = at;
    event.preventDefault();
    event.stopImmediatePropagation();

    function isStray(before: NonNullable<typeof first>): boolean {
      const isSame = control === before.control;
      const isNear = Math.hypot(x - before.x, y - before.y) < limits.distance;
      const isSoon = at - before.at < (acts || before.acts ? limits.acts : limits.time);
      return isSoon && (isSame ? acts : isNear && (pointerType !== 'mouse' || count > 1));
    }
  };
  const onInput = ({ target }: Event) => {
    // These are pressed, not typed in.
    if (!(target as Element).matches('[type="checkbox"], [type="radio"]')) first = null;
  };
  const onKey = () => void (first = null);
  document.addEventListener('click', onClick, { capture: true });
  document.addEventListener('input', onInput, { capture: true });
  document.addEventListener('keydown', onKey, { capture: true });
  return () => {
    document.removeEventListener('click', onClick, { capture: true });
    document.removeEventListener('keydown', onKey, { capture: true });
    document.removeEventListener('input', onInput, { capture: true });
  };
}
