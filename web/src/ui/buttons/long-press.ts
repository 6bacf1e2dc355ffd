import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** In ms, and in px that the finger may move meanwhile. */
const limits = { time: 500, distance: 10 };

/**
 * Calls `onPress` while a finger rests on an element. Returns what to spread on it. The tap does not count as a click,
 * also of another element, which may have moved below the finger.
 */
export function useLongPress(onPress: (() => void) | undefined) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(null);
  const end = () => clearTimeout(press.current?.timer);
  if (!onPress) return {};
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
      end();
      press.current = null;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        ignoreClick();
        onPress();
      }, limits.time);
      press.current = { x, y, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > limits.distance) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onContextMenu(event: MouseEvent) {
      // The browser's own menu of a long press.
      if (press.current) event.preventDefault();
    },
  };
}

/** Until the next press. */
export function ignoreClick(): void {
  const until = new AbortController();
  const options = { capture: true, signal: until.signal };
  addEventListener('click', (event) => (event.preventDefault(), event.stopPropagation(), until.abort()), options);
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => until.abort(), options);
}
