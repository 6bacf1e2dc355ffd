import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useLocate } from './use-locate.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

type Answer = (found: PositionCallback, failed: PositionErrorCallback) => void;

function locateWith(answer: Answer | undefined) {
  const geolocation = answer && { getCurrentPosition: answer };
  Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });
  const onLocated = vi.fn<(position: object) => void>();
  const result = { current: undefined as unknown as ReturnType<typeof useLocate> };
  function Probe() {
    const state = useLocate(onLocated);
    useEffect(() => {
      result.current = state;
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<Probe />));
  onTestFinished(() => act(() => root.unmount()));
  act(() => result.current.locate());
  return { result, onLocated };
}

const failing =
  (code: number): Answer =>
  (_found, failed) =>
    failed({ code, PERMISSION_DENIED: 1 } as GeolocationPositionError);

test('own location: the position and its accuracy are reported to the map', () => {
  const coords = { latitude: 53.1, longitude: 8.8, accuracy: 40 } as GeolocationCoordinates;
  const { result, onLocated } = locateWith((found) => found({ coords } as GeolocationPosition));
  expect(result.current).toMatchObject({ located: coords, fault: null });
  expect(onLocated).toHaveBeenCalledWith({ latitude: 53.1, longitude: 8.8 });
});

test('own location: a denied permission shows how to allow it, until it is dismissed', () => {
  const { result } = locateWith(failing(1));
  expect(result.current.fault).toContain('site settings');
  act(() => result.current.dismiss());
  expect(result.current.fault).toBeNull();
});

test('own location: other errors have a message', () => {
  expect(locateWith(failing(2)).result.current.fault).toBe('Your location is not available.');
  expect(locateWith(undefined).result.current.fault).toContain('https');
});
