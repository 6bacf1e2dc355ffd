import { expect, it } from 'vitest';
import { ownLocation } from './own-location.ts';

const answering = (answer: (success: PositionCallback, failure: PositionErrorCallback) => void) =>
  ({ getCurrentPosition: answer }) as unknown as Geolocation;

it('is rounded to a metre', async () => {
  const coords = { latitude: 52.92404999, longitude: 12.2 } as GeolocationCoordinates;
  const here = answering((success) => success({ coords } as GeolocationPosition));
  expect(await ownLocation(here)).toEqual({ latitude: 52.92405, longitude: 12.2 });
});

it.each([
  [1, 'denied'],
  [2, 'unavailable'],
  [3, 'timeout'],
])('maps the error code %d to %s', async (code, fault) => {
  const nowhere = answering((_, failure) => failure({ code } as GeolocationPositionError));
  await expect(ownLocation(nowhere)).rejects.toMatchObject({ fault });
});

it('fails as unsupported without geolocation', async () => {
  await expect(ownLocation(undefined)).rejects.toMatchObject({ fault: 'unsupported' });
});
