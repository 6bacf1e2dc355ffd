import { expect, it } from 'vitest';
import type { MapColours } from '../canvas/map-colours.ts';
import { drawRole } from './role.draw.ts';

/** Records the drawing: discs by their centres, shapes by their corners. */
function draw({ role, rightToLeft }: { role: 'producer' | 'consumer' | 'both'; rightToLeft: boolean }) {
  const discs: number[] = [];
  const corners: { x: number; y: number }[] = [];
  const context = {
    fillStyle: '',
    beginPath: () => undefined,
    fill: () => undefined,
    arc: (x: number) => discs.push(x),
    lineTo: (x: number, y: number) => corners.push({ x, y }),
  };
  const colours = { panel: '#fff', fg: '#000' } as MapColours;
  drawRole({ context: context as unknown as CanvasRenderingContext2D, colours, role, x: 100, y: 100, rightToLeft });
  return { disc: discs[0], corners };
}

it('is drawn at the upper inline-end corner, also from right to left', () => {
  expect(draw({ role: 'both', rightToLeft: false }).disc).toBeGreaterThan(100);
  expect(draw({ role: 'both', rightToLeft: true }).disc).toBeLessThan(100);
});

it('distinguishes roles by shape: a triangle up, a triangle down and a diamond', () => {
  const heights = (role: 'producer' | 'consumer' | 'both') => {
    const ys = draw({ role, rightToLeft: false }).corners.map(({ y }) => y);
    return { corners: ys.length, firstIsTop: ys[0] === Math.min(...ys) };
  };
  expect(heights('producer')).toEqual({ corners: 3, firstIsTop: true });
  expect(heights('consumer')).toEqual({ corners: 3, firstIsTop: false });
  expect(heights('both')).toEqual({ corners: 4, firstIsTop: true });
});
