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

/** Where this computer or phone is, to a metre. Browsers tell it only over https or on the same machine. */
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
