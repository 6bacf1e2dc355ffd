import { act, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useOwnLocation } from './use-own-location.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

type Answer = (found: PositionCallback, failed: PositionErrorCallback) => void;

const clearWatch = vi.fn<(id: number) => void>();
const getCurrentPosition = vi.fn<Answer>();
const watchPosition = vi.fn<(...of: Parameters<Answer>) => number>();
const answerWith = (answer: Answer = () => {}, isSupported = true) => {
  getCurrentPosition.mockImplementation(answer);
  watchPosition.mockImplementation((...of) => (answer(...of), 7));
  Object.defineProperty(navigator, 'geolocation', {
    value: isSupported ? { getCurrentPosition, watchPosition, clearWatch } : undefined,
    configurable: true,
  });
};

function locateWith(answer: Answer | undefined, follows = true) {
  answerWith(answer, answer !== undefined);
  const onFound = vi.fn<(position: object) => void>();
  const onFailed = vi.fn<(reason: string) => void>();
  const result = { current: undefined as unknown as ReturnType<typeof useOwnLocation> };
  function Probe() {
    const state = useOwnLocation(onFound, { follows, onFailed });
    useEffect(() => {
      result.current = state;
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<Probe />));
  const end = () => act(() => root.unmount());
  onTestFinished(end);
  act(() => result.current.locate());
  return { result, onFound, onFailed, end };
}

const failing =
  (code: number): Answer =>
  (_found, failed) =>
    failed({ code } as GeolocationPositionError);

test('the position is rounded to a metre, and reported with its accuracy', () => {
  const coords = { latitude: 52.92404999, longitude: 12.2, accuracy: 40 } as GeolocationCoordinates;
  const { result, onFound } = locateWith((found) => found({ coords } as GeolocationPosition));
  const position = { latitude: 52.92405, longitude: 12.2 };
  expect(result.current).toMatchObject({ located: { ...position, accuracy: 40 }, error: null, isLocating: false });
  expect(onFound).toHaveBeenCalledWith({ ...position, accuracy: 40 });
});

test.each([
  [1, 'denied'],
  [2, 'unavailable'],
  [3, 'timeout'],
])('the error code %d is reported as %s, until it is dismissed', (code, error) => {
  const { result, onFailed } = locateWith(failing(code));
  expect(result.current).toMatchObject({ error, isLocating: false });
  expect(onFailed).toHaveBeenCalledExactlyOnceWith(error);
  act(() => result.current.dismiss());
  expect(result.current.error).toBeNull();
});

test('of two that fail, only the last one says why', () => {
  const list = locateWith(failing(1)).result;
  expect(list.current.error).toBe('denied');
  const map = locateWith(failing(1)).result;
  expect([list.current.error, map.current.error]).toEqual([null, 'denied']);
  act(() => list.current.locate());
  expect([list.current.error, map.current.error]).toEqual(['denied', null]);
});

test('without geolocation, the location is not supported', () => {
  expect(locateWith(undefined).result.current.error).toBe('unsupported');
});

test('text that is typed while the browser determines the location is not lost', async () => {
  let answer: PositionCallback | undefined;
  answerWith((found) => (answer = found));
  function Form() {
    const [draft, setDraft] = useState({ name: '', latitude: '' });
    const own = useOwnLocation(({ latitude }) => setDraft({ ...draft, latitude: String(latitude) }));
    return (
      <>
        <button type="button" id="locate" onClick={own.locate}>
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

test('who needs the location once does not keep the receiver on, and shows no dot on the map', () => {
  watchPosition.mockClear();
  const coords = { latitude: 52, longitude: 12, accuracy: 5 } as GeolocationCoordinates;
  const { result, onFound } = locateWith((found) => found({ coords } as GeolocationPosition), false);
  expect(onFound).toHaveBeenCalledExactlyOnceWith(coords);
  expect(result.current).toMatchObject({ located: null, isLocating: false });
  expect(watchPosition).not.toHaveBeenCalled();
});

test('the location is followed until the component ends, and reported once', () => {
  let move: PositionCallback = () => {};
  const { result, onFound, end } = locateWith((found) => (move = found));
  for (const latitude of [52, 53]) {
    const coords = { latitude, longitude: 12, accuracy: 5 } as GeolocationCoordinates;
    act(() => move({ coords } as GeolocationPosition));
  }
  expect(result.current.located).toMatchObject({ latitude: 53 });
  expect(onFound.mock.calls).toEqual([[{ latitude: 52, longitude: 12, accuracy: 5 }]]);
  clearWatch.mockClear();
  end();
  expect(clearWatch).toHaveBeenCalledExactlyOnceWith(7);
  // No dot stays where the user was.
  expect(locateWith(() => {}).result.current.located).toBeNull();
});
