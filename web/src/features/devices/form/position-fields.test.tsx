import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { loadTexts } from '../../../text/text.ts';
import { PositionFields } from './position-fields.tsx';
import type { Coordinates } from './coordinates.ts';

it.each([
  ['47.3769° N, 8.5417 E', { latitude: '47.3769° N', longitude: '8.5417 E' }],
  ['47.3769, 8.5417', { latitude: '47.3769', longitude: '8.5417' }],
  ['47.3769 8.5417', { latitude: '47.3769', longitude: '8.5417' }],
  ['47,3769', undefined],
  ['47 22', undefined],
  ['47 22.614', undefined],
  ['47° 22', undefined],
  ['47° 22.614', undefined],
])('a pair that is typed into one field fills both: %s', async (latitude, pair) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const filled: Coordinates[] = [];
  await act(async () =>
    root.render(
      <PositionFields value={{ latitude, longitude: '' }} errors={{}} onChange={(value) => filled.push(value)} />,
    ),
  );
  const input = place.querySelector<HTMLInputElement>('[name=latitude]')!;
  await act(async () => input.focus());
  await act(async () => input.blur());
  expect(filled).toEqual(pair ? [pair] : []);
  await act(async () => root.unmount());
  place.remove();
});

it.each([false, true])('a pair that is pasted fills both fields, unless they are read-only: %s', async (readOnly) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const onChange = vi.fn<(value: Coordinates) => void>();
  const value = { latitude: '1', longitude: '2' };
  await act(async () =>
    root.render(<PositionFields value={value} errors={{}} readOnly={readOnly} onChange={onChange} />),
  );
  const paste = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
    clipboardData: { getData: () => '47.3, 8.5' },
  });
  await act(async () => place.querySelector('[name=latitude]')!.dispatchEvent(paste));
  expect(onChange.mock.calls).toEqual(readOnly ? [] : [[{ latitude: '47.3', longitude: '8.5' }]]);
  await act(async () => root.unmount());
  place.remove();
});

it('coordinates that are typed while the location is asked for stay', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  let found: PositionCallback = () => undefined;
  const getCurrentPosition = (onFound: PositionCallback) => (found = onFound);
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const onChange = vi.fn<() => void>();
  const value = { latitude: '', longitude: '' };
  await act(async () => root.render(<PositionFields value={value} errors={{}} onChange={onChange} />));
  const locate = place.querySelector('button')!;
  await act(async () => locate.click());
  expect(locate.getAttribute('aria-busy')).toBe('true');
  const input = place.querySelector<HTMLInputElement>('[name=latitude]')!;
  await act(async () => {
    input.setRangeText('54');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(locate.getAttribute('aria-busy')).toBeNull();
  await act(async () => found({ coords: { latitude: 1, longitude: 2 } } as GeolocationPosition));
  expect(onChange.mock.calls).toEqual([[{ latitude: '54', longitude: '' }]]);
  await act(async () => root.unmount());
  place.remove();
});

it.each([
  [3500, 'Your location is accurate only to 3,500 m. Check it on the map.'],
  [40, ''],
])('a location that is accurate to %s m says: "%s", until it is changed', async (accuracy, said) => {
  await loadTexts('en');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const coords = { latitude: 48.137, longitude: 11.575, accuracy };
  const getCurrentPosition = (onFound: PositionCallback) => onFound({ coords } as GeolocationPosition);
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition }, configurable: true });
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const show = (value: Coordinates) =>
    act(async () =>
      root.render(<PositionFields value={value} errors={{}} onChange={(next) => void (filled = next)} />),
    );
  let filled: Coordinates = { latitude: '', longitude: '' };
  await show(filled);
  await act(async () => place.querySelector('button')!.click());
  await show(filled);
  expect(place.querySelector('output')!.textContent).toBe(said);
  await show({ ...filled, longitude: '11.6' });
  expect(place.querySelector('output')!.textContent).toBe('');
  await act(async () => root.unmount());
  place.remove();
});
