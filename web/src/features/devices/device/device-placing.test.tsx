import { act } from 'react';
import { expect, test } from 'vitest';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { useDevicePlacing } from './use-device-placing.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

function Place() {
  const { isPlacing, toggle } = useDevicePlacing();
  return (
    <button type="button" onClick={toggle}>
      {isPlacing ? 'placing' : 'place'}
    </button>
  );
}

test('while a place is chosen, Back ends that before it leaves the page', async () => {
  history.pushState(null, '', '/devices/b');
  const { container, press, unmount } = await mountPart(<Place />);
  await press('place');
  expect(container.textContent).toBe('placing');
  act(() => history.back());
  await waitFor(() => expect(container.textContent).toBe('place'));
  expect(location.pathname).toBe('/devices/b');
  await unmount();
});
