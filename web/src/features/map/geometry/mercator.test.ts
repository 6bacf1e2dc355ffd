import { describe, expect, it } from 'vitest';
import {
  EDGE_LATITUDE,
  latitudeAt,
  longitudeAt,
  longitudeNear,
  metresPerPixel,
  worldX,
  worldY,
  wrapLongitude,
} from './mercator.ts';

describe('Web Mercator', () => {
  it('puts the corners of the world at 0 and 1', () => {
    expect([worldX(-180), worldX(180)]).toEqual([0, 1]);
    expect(worldY(EDGE_LATITUDE)).toBeCloseTo(0, 9);
    expect(worldY(-EDGE_LATITUDE)).toBeCloseTo(1, 9);
    expect([worldX(0), worldY(0)]).toEqual([0.5, 0.5]);
  });

  it('converts a pixel to metres', () => {
    expect(metresPerPixel({ latitude: 0, zoom: 0 })).toBeCloseTo(156_543, 0);
    expect(metresPerPixel({ latitude: 60, zoom: 10 })).toBeCloseTo(76.4, 1);
  });

  it('inverts the projection', () => {
    for (const [longitude, latitude] of [
      [12.296, 52.924],
      [-179.9, -84],
      [0, 0],
    ] as const) {
      expect(longitudeAt(worldX(longitude))).toBeCloseTo(longitude, 9);
      expect(latitudeAt(worldY(latitude))).toBeCloseTo(latitude, 9);
    }
  });

  it('stays finite at the poles', () => {
    expect(worldY(90)).toBeGreaterThan(-2);
    expect(worldY(-90)).toBeLessThan(3);
  });

  it('wraps longitudes of other copies of the world and keeps 180', () => {
    expect([181, -181, 540, 180, -180].map(wrapLongitude)).toEqual([-179, 179, -180, 180, -180]);
  });

  it('returns a longitude in the copy of the world that is in view', () => {
    expect(longitudeNear(-179, 179)).toBe(181);
    expect(longitudeNear(10, 725)).toBe(730);
  });
});
