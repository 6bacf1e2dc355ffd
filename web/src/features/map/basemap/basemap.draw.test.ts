import { describe, expect, it } from 'vitest';
import { worldSize } from '../geometry/mercator.ts';
import { graticuleStep } from './basemap.draw.ts';

describe('the graticule', () => {
  it('keeps a distance of 60 to 500 px between its lines at every zoom', () => {
    for (let zoom = 2; zoom <= 11; zoom += 0.25) {
      const room = (graticuleStep(worldSize(zoom)) / 360) * worldSize(zoom);
      expect(room, `zoom ${zoom}`).toBeGreaterThan(60);
      expect(room, `zoom ${zoom}`).toBeLessThan(500);
    }
  });

  it('has a line every 5 degrees for a country and every 30 degrees for the world', () => {
    expect(graticuleStep(worldSize(6))).toBe(5);
    expect(graticuleStep(worldSize(1))).toBe(30);
  });
});
