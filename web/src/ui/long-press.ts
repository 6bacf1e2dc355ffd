import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** In ms, and in px that the finger may move meanwhile. */
const limits = { time: 500, distance: 10 };

/** Calls `onPress` while a finger rests on an element. Returns what to spread on it; the tap does not count as a click. */
export function useLongPress(onPress: (() => void) | undefined) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean }>(null);
  const end = () => clearTimeout(press.current?.timer);
  if (!onPress) return {};
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
      end();
      press.current = null;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        if (press.current) press.current.isLong = true;
        onPress();
      }, limits.time);
      press.current = { x, y, timer, isLong: false };
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
    onClickCapture(event: MouseEvent) {
      if (press.current?.isLong) event.stopPropagation();
      press.current = null;
    },
  };
}
