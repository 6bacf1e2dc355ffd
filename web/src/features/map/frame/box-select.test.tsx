import { createLeafletContext, LeafletContext } from '@react-leaflet/core';
import { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { DeviceMapContext } from '../device-map-context.ts';
import { BoxSelect } from './box-select.ts';

test('only the click that ends a drawn box is ignored, also if the drag ends outside the window', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.body.appendChild(document.createElement('div'));
  container.getBoundingClientRect = () => new DOMRect(0, 0, 400, 300);
  const map = new LeafletMap(container).setView([54, 10], 8);
  const boxes = vi.fn<() => void>();
  const insets = { top: 0, right: 0, bottom: 0, left: 0 };
  const shown = { insets, view: null, isPlacing: false, onMoved: () => () => undefined };
  await act(async () =>
    createRoot(document.createElement('div')).render(
      <LeafletContext value={createLeafletContext(map)}>
        <DeviceMapContext value={shown}>
          <BoxSelect onBox={boxes} />
        </DeviceMapContext>
      </LeafletContext>,
    ),
  );
  const clicks = vi.fn<() => void>();
  container.addEventListener('click', clicks);
  const send = (type: string, at = { clientX: 100, clientY: 100 }) =>
    container.dispatchEvent(new PointerEvent(type, { bubbles: true, shiftKey: true, ...at }));
  const draw = () => {
    send('pointerdown');
    send('pointermove', { clientX: 200, clientY: 200 });
    send('pointerup', { clientX: 200, clientY: 200 });
  };

  draw();
  send('click');
  expect(boxes).toHaveBeenCalledTimes(1);
  expect(clicks).not.toHaveBeenCalled();
  send('click');
  expect(clicks).toHaveBeenCalledTimes(1);

  draw();
  send('pointerdown');
  send('pointerup');
  send('click');
  expect(clicks).toHaveBeenCalledTimes(2);
  draw();
  container.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  send('click');
  expect(clicks).toHaveBeenCalledTimes(3);
});
