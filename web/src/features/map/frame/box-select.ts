import { useMap } from 'react-leaflet';
import { useEffect, useEffectEvent } from 'react';
import { useDeviceMap } from '../device-map-context.ts';
import { frameOf } from '../geometry/frame.ts';
import { bboxOf, type Bbox } from '../geometry/view.ts';

/** In px. A smaller box is a click. */
const smallest = 5;

/** Shift and a drag with the mouse draw a box. Leaflet's own handler would zoom to it. A part of a map of devices. */
export function BoxSelect({ onBox }: { onBox: (bbox: Bbox) => void }) {
  const map = useMap();
  const { isPlacing } = useDeviceMap();
  const report = useEffectEvent(onBox);
  useEffect(() => {
    if (isPlacing) return undefined;
    const container = map.getContainer();
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    let end: (() => void) | undefined;

    function begin(event: PointerEvent) {
      if (!event.shiftKey || event.button !== 0 || event.pointerType === 'touch') return;
      event.preventDefault();
      const frame = container.getBoundingClientRect();
      const box = document.createElement('div');
      box.className = 'map-box';
      const at = ({ clientX, clientY }: MouseEvent) => ({ x: clientX - frame.left, y: clientY - frame.top });
      const start = at(event);
      let [left, top, right, bottom] = [start.x, start.y, start.x, start.y];
      const drawing = new AbortController();
      const drawn = { capture: true, signal: drawing.signal };
      end = () => {
        drawing.abort();
        box.remove();
        end = undefined;
      };
      const isBox = () => right - left > smallest || bottom - top > smallest;
      const move = (moved: PointerEvent) => {
        const { x, y } = at(moved);
        [left, right] = [Math.max(0, Math.min(start.x, x)), Math.min(frame.width, Math.max(start.x, x))];
        [top, bottom] = [Math.max(0, Math.min(start.y, y)), Math.min(frame.height, Math.max(start.y, y))];
        if (!isBox()) return;
        box.style.cssText = `transform: translate(${left}px, ${top}px); inline-size: ${right - left}px; block-size: ${bottom - top}px`;
        container.append(box);
      };
      const finish = () => {
        end?.();
        if (!isBox()) return;
        // The click that ends the drag selects no device. A drag that ends outside the window has none.
        const ended = new AbortController();
        const once = { capture: true, signal: ended.signal };
        addEventListener('click', (click) => (click.stopPropagation(), ended.abort()), once);
        for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => ended.abort(), once);
        report(bboxOf({ frame: frameOf(map), box: { left, top, right, bottom } }));
      };
      const cancel = (key: KeyboardEvent) => {
        if (key.key !== 'Escape') return;
        key.stopPropagation();
        end?.();
      };
      addEventListener('pointermove', move, drawn);
      addEventListener('pointerup', finish, drawn);
      addEventListener('pointercancel', () => end?.(), drawn);
      addEventListener('keydown', cancel, drawn);
    }
    container.addEventListener('pointerdown', begin, options);
    // Otherwise Leaflet drags the map.
    container.addEventListener('mousedown', (event) => event.shiftKey && event.stopPropagation(), options);
    return () => {
      listeners.abort();
      end?.();
    };
  }, [map, isPlacing]);
  return null;
}
