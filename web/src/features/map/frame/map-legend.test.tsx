import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { touch } from '../../../ui/browser/media.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { MapLegend } from './map-legend.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

test('on a touch screen, Back closes the legend before it leaves the page', async () => {
  history.pushState(null, '', '/map-page');
  const { show, unmount } = await mountPart(null);
  const listeners = { addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === touch, ...listeners }));
  const onClose = vi.fn<() => void>();
  await show(<MapLegend onClose={onClose} />);
  act(() => history.back());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(location.pathname).toBe('/map-page');
  await unmount();
});
