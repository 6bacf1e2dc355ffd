import { expect, it } from 'vitest';
import { worldSize, worldX, worldY } from '../geometry/mercator.ts';
import { placeCrossings } from './crossings.place.ts';
import { createNameRoom } from './name-room.ts';

function crossings({ latitude, longitude, zoom }: { latitude: number; longitude: number; zoom: number }) {
  const scale = worldSize(zoom);
  const frame = {
    scale,
    left: worldX(longitude) * scale - 400,
    top: worldY(latitude) * scale - 300,
    width: 800,
    height: 600,
  };
  const view = { left: 0, top: 0, right: 800, bottom: 600 };
  return placeCrossings({
    frame,
    room: createNameRoom({ screen: view, view, covered: [], spots: [], boxes: [] }),
    textOf: (at) => `${at.latitude} ${at.longitude}`,
    measure: (text) => text.length * 6,
  }).map(({ text }) => text);
}

it('labels the crossings on both sides of the antimeridian', () => {
  const texts = crossings({ latitude: -15, longitude: 180, zoom: 6 });
  expect(texts).toContain('-15 180');
  expect(texts).toContain('-15 175');
  expect(texts).toContain('-15 -175');
});

it('labels round coordinates at every zoom', () => {
  const texts = crossings({ latitude: -74, longitude: 10, zoom: 14 });
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(text).toMatch(/^-7[34](\.\d{1,2})? (9|10)(\.\d{1,2})?$/);
});
