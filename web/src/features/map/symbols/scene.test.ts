import type { MapFeature } from '@swarmdeck/bff/contract';
import { singleRadius } from '@swarmdeck/bff/symbol-size';
import { describe, expect, it } from 'vitest';
import { hit, placeFeatures, project } from './scene.ts';

const single = (id: string, longitude: number, latitude: number): MapFeature => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: {
    cluster: false,
    presence: { state: 'never' },
    id,
    name: id,
    machine_type: 'bug',
    changed_at: '2026-01-02T03:04:05.678Z',
  },
});

describe('the scene', () => {
  it('draws each device once, in the copy of the world that is nearest to the centre of the view', () => {
    const frame = { scale: 256, left: -100, top: 0, width: 600, height: 256 };
    expect(project({ coordinates: [0, 0], frame, middle: 300, margin: 20 })).toEqual({ x: 228, y: 128 });
    expect(project({ coordinates: [0, 0], frame, middle: 400, margin: 20 })).toEqual({ x: 484, y: 128 });
    const features = [single('one', 0, 0), single('two', 170, 0)];
    expect(placeFeatures({ features, frame, middle: 300 }).map(({ feature }) => feature.id)).toEqual(['one', 'two']);
  });

  it('projects a position across the antimeridian', () => {
    const frame = { scale: 25_600, left: 25_000, top: 12_000, width: 1_000, height: 1_000 };
    expect(project({ coordinates: [-179, 0], frame, middle: 500, margin: 0 })?.x).toBeCloseTo(671.1, 1);
  });

  it('projects the poles to the edges of the map', () => {
    const frame = { scale: 256, left: 0, top: 0, width: 256, height: 256 };
    expect(project({ coordinates: [0, -90], frame, middle: 128, margin: 0 })).toEqual({ x: 128, y: 256 });
    expect(project({ coordinates: [0, 90], frame, middle: 128, margin: 0 })).toEqual({ x: 128, y: 0 });
  });

  it('leaves out symbols that are entirely outside the frame', () => {
    const frame = { scale: 25_600, left: 12_800, top: 12_800, width: 100, height: 100 };
    const features = [single('in', -0.1, 0.1), single('out', -0.5, 0)];
    expect(placeFeatures({ features, frame, middle: 50 }).map(({ feature }) => feature.id)).toEqual(['in']);
  });
});

describe('hit testing', () => {
  const placed = [
    { id: 'left', x: 100, y: 100, radius: singleRadius },
    { id: 'right', x: 120, y: 100, radius: singleRadius },
  ];

  it('finds the symbol whose centre is nearest', () => {
    expect(hit({ placed, x: 108, y: 100, slack: 0 })?.id).toBe('left');
    expect(hit({ placed, x: 112, y: 100, slack: 0 })?.id).toBe('right');
  });

  it('finds the upper one of two symbols at one disc', () => {
    expect(hit({ placed: [...placed, { ...placed[0]!, id: 'upper' }], x: 100, y: 100, slack: 0 })?.id).toBe('upper');
  });

  it('has more tolerance for touch', () => {
    expect(hit({ placed, x: 100, y: 122, slack: 2 })).toBeNull();
    expect(hit({ placed, x: 100, y: 122, slack: 10 })?.id).toBe('left');
  });
});
