import { Map as LeafletMap } from 'leaflet';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { useViewSettled } from './use-map-view.ts';

const insets = { top: 0, right: 0, bottom: 0, left: 0 };

test('a settled view is reported to the handler of the latest render', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const map = new LeafletMap(document.createElement('div')).setView([54, 10], 8);
  const [before, after] = [vi.fn<() => void>(), vi.fn<() => void>()];
  function Page({ onView }: { onView: () => void }) {
    useViewSettled({ map, insets, onView });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<Page onView={before} />));
  await act(async () => vi.runAllTimers());
  before.mockClear();

  map.setView([50, 17], 8, { animate: false });
  await act(async () => root.render(<Page onView={after} />));
  await act(async () => vi.runAllTimers());

  expect(before).not.toHaveBeenCalled();
  expect(after).toHaveBeenCalledWith(expect.objectContaining({ lat: 50, lng: 17 }));
});
