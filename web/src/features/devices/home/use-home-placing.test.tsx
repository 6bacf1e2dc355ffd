import { act, useLayoutEffect } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import { loadTexts } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HomeState, useHome } from './home-state.ts';
// Imported here so that the lazy import of the hook resolves immediately.
import './place-with-undo.ts';

beforeAll(() => loadTexts('en'));

const device: Device = { ...deviceFields, id: 'b', name: 'Buoy' };
function usePlacingHome() {
  const { stop, setStop } = useHome('sheet');
  return { ...useHome('placing'), ...useHome('selected'), stop, setStop };
}

async function mountHome() {
  const page = { items: [device], next: null, total: 1, at: '2026-01-02T04:00:00.000Z', facets };
  vi.stubGlobal('fetch', async (path: string) => Response.json(path.startsWith('/api/devices') ? page : device));
  let home: ReturnType<typeof usePlacingHome>;
  function Page() {
    const rendered = usePlacingHome();
    useLayoutEffect(() => {
      home = rendered;
    });
    return null;
  }
  const { unmount } = await mountPart(
    <HomeState userId="ann">
      <Page />
    </HomeState>,
  );
  return {
    stopAfter: async (act_: (now: typeof home) => void) => (await act(async () => act_(home)), home.stop),
    unmount,
  };
}

test('the sheet of a phone is at its stop again after a place was not chosen, and after it was and the card is closed', async () => {
  const { stopAfter, unmount } = await mountHome();
  const stops = [
    await stopAfter(({ place }) => place(device)),
    await stopAfter(({ cancel }) => cancel()),
    await stopAfter(({ place }) => place(device)),
    await stopAfter(({ placeAt }) => placeAt({ latitude: 54, longitude: 10 })),
    await stopAfter(({ close }) => close()),
    await stopAfter(({ placeDraft }) => placeDraft({ name: 'New' } as never, null)),
    await stopAfter(({ placeAt }) => placeAt({ latitude: 54, longitude: 10 })),
  ];
  expect(stops).toEqual(['card', 'half', 'card', 'card', 'half', 'card', 'half']);
  await unmount();
});

test('after a place was not chosen, the sheet has the card of the selected device only if it had it before', async () => {
  const { stopAfter, unmount } = await mountHome();
  const stops = [
    await stopAfter(({ select }) => select('b')),
    await stopAfter(({ place }) => place(device)),
    await stopAfter(({ cancel }) => cancel()),
    // As a search does.
    await stopAfter(({ setStop }) => setStop('list')),
    await stopAfter(({ place }) => place(device)),
    // Another one, without cancelling.
    await stopAfter(({ place }) => place(device)),
    await stopAfter(({ cancel }) => cancel()),
  ];
  expect(stops).toEqual(['card', 'card', 'card', 'list', 'card', 'card', 'list']);
  await unmount();
});
