import type { Position } from '@swarmdeck/bff/contract';

export type LocationFault = 'unsupported' | 'denied' | 'unavailable' | 'timeout';

export class LocationError extends Error {
  override readonly name = 'LocationError';
  readonly fault: LocationFault;

  constructor(fault: LocationFault) {
    super(fault);
    this.fault = fault;
  }
}

const faults: Record<number, LocationFault> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' };

/** The location of this computer or phone, rounded to a metre. Browsers provide it only over HTTPS or on localhost. */
export function ownLocation(geolocation: Geolocation | undefined): Promise<Position> {
  const { promise, resolve, reject } = Promise.withResolvers<Position>();
  if (!geolocation) reject(new LocationError('unsupported'));
  geolocation?.getCurrentPosition(
    ({ coords }) =>
      resolve({ latitude: Number(coords.latitude.toFixed(5)), longitude: Number(coords.longitude.toFixed(5)) }),
    ({ code }) => reject(new LocationError(faults[code] ?? 'unavailable')),
    { enableHighAccuracy: true, timeout: 15_000, maximumAge: 30_000 },
  );
  return promise;
}
