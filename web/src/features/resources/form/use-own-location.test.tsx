import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { useOwnLocation } from './use-own-location.ts';

afterEach(() => vi.unstubAllGlobals());

test('text that is typed while the browser determines the location is not lost', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let answer: PositionCallback | undefined;
  vi.stubGlobal('navigator', {
    geolocation: { getCurrentPosition: (found: PositionCallback) => (answer = found) },
  });
  function Form() {
    const [draft, setDraft] = useState({ name: '', latitude: '' });
    const here = useOwnLocation(({ latitude }) => setDraft({ ...draft, latitude: String(latitude) }));
    return (
      <>
        <button type="button" id="locate" onClick={here.ask}>
          Own location
        </button>
        <button type="button" id="type" onClick={() => setDraft({ ...draft, name: 'Igloo' })}>
          Type
        </button>
        <output>{`${draft.name} ${draft.latitude}`}</output>
      </>
    );
  }
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(<Form />));
  await act(async () => page.querySelector<HTMLElement>('#locate')?.click());
  await act(async () => page.querySelector<HTMLElement>('#type')?.click());
  await act(async () => answer?.({ coords: { latitude: 52.5, longitude: 13.4 } } as GeolocationPosition));
  expect(page.querySelector('output')?.textContent).toBe('Igloo 52.5');
  await act(async () => root.unmount());
});
