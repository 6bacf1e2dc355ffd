import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HomeState, useHome } from './home-state.ts';
import { PlaceNotice } from './place-notice.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const device = { ...deviceFields, id: 'b', name: 'Buoy' };
const world = { lat: 20, lng: 15, zoom: 2, isFitted: true, isEmpty: true, bbox: [-180, -60, 180, 75] as const };

/** The home page while a device is placed, without its map. */
async function mountNotice() {
  const page = { items: [device], next: null, total: 1, at: '2026-01-02T04:00:00.000Z', facets };
  vi.stubGlobal('fetch', async (path: string) =>
    // The files with the places do not arrive.
    path.startsWith('/api/') ? Response.json(path.startsWith('/api/devices') ? page : device) : new Promise(() => {}),
  );
  function Page() {
    const { placing, place } = useHome('placing');
    const { onView } = useHome('map');
    return (
      <>
        <button type="button" onClick={() => onView({ ...world, bbox: [...world.bbox] })}>
          Map settles
        </button>
        <button type="button" onClick={() => place(device)}>
          Place on map
        </button>
        {placing && <PlaceNotice placing={placing} />}
      </>
    );
  }
  const mounted = await mountPart(
    <HomeState userId="ann">
      <Page />
    </HomeState>,
  );
  const { container, press } = mounted;
  await press('Map settles');
  await press('Place on map');
  return {
    ...mounted,
    async search(text: string) {
      const field = container.querySelector<HTMLInputElement>('[type=search]')!;
      await act(async () => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    canPlace: () =>
      ![...container.querySelectorAll('button')].find(({ textContent }) => textContent === t.device.placing.set)!
        .disabled,
  };
}

test('with a place that is only searched for, the middle of the map is no position, unless the map was moved there', async () => {
  const { canPlace, search, press, unmount } = await mountNotice();
  expect(canPlace()).toBe(true);
  await search('Tripo');
  await waitFor(() => expect(canPlace()).toBe(false));
  await search('');
  await waitFor(() => expect(canPlace()).toBe(true));
  await search('Tripo');
  await waitFor(() => expect(canPlace()).toBe(false));
  await press('Map settles');
  expect(canPlace()).toBe(true);
  await unmount();
});
