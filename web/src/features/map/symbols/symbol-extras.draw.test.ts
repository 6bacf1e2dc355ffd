import { expect, it, describe, test, vi } from 'vitest';
import type { MapColours } from '../canvas/map-colours.ts';
import { drawRole, heardColour, ageStep, OLDEST } from './symbol-extras.draw.ts';

/** Records the drawing: discs by their centres, shapes by their corners. */
function draw({ role, drawIn = drawRole }: { role: 'producer' | 'consumer' | 'both'; drawIn?: typeof drawRole }) {
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
  drawIn({ context: context as unknown as CanvasRenderingContext2D, colours, role, x: 100, y: 100 });
  return { disc: discs[0], corners };
}

it('is drawn at the upper inline-end corner, also from right to left', async () => {
  expect(draw({ role: 'both' }).disc).toBeGreaterThan(100);
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { dir: 'rtl', lang: 'en-XR' } });
  const rightToLeft = await import('./symbol-extras.draw.ts');
  vi.unstubAllGlobals();
  expect(draw({ role: 'both', drawIn: rightToLeft.drawRole }).disc).toBeLessThan(100);
});

it('distinguishes roles by shape: a triangle up, a triangle down and a diamond', () => {
  const heights = (role: 'producer' | 'consumer' | 'both') => {
    const ys = draw({ role }).corners.map(({ y }) => y);
    return { corners: ys.length, firstIsTop: ys[0] === Math.min(...ys) };
  };
  expect(heights('producer')).toEqual({ corners: 3, firstIsTop: true });
  expect(heights('consumer')).toEqual({ corners: 3, firstIsTop: false });
  expect(heights('both')).toEqual({ corners: 4, firstIsTop: true });
});

const now = Date.parse('2026-03-04T12:00:00.000Z');
const at = (seconds: number) => ageStep({ at: new Date(now - seconds * 1000).toISOString(), now });

describe('the colour of an age', () => {
  test('has the same steps as the legend', () => {
    expect([0, 60, 3600, 86_400].map(at)).toEqual([0, OLDEST / 3, (OLDEST / 3) * 2, OLDEST]);
  });

  test('is the newest step for a future time and at most the oldest step', () => {
    expect(at(-5)).toBe(0);
    expect(at(1e9)).toBe(OLDEST);
  });

  test('increases in a limited number of steps', () => {
    const steps = Array.from({ length: 9_000 }, (_, tick) => at(tick * 10));
    expect(steps.every((step, tick) => tick === 0 || step >= (steps[tick - 1] ?? 0))).toBe(true);
    expect(new Set(steps).size).toBe(OLDEST + 1);
  });

  test('goes from the accent to grey', () => {
    const colours = { accent: '#0f766e', field: '#7d8f94' };
    const grey = (heard: Parameters<typeof heardColour>[0]['heard']) =>
      Number(/(\d+)%/.exec(heardColour({ heard, now, colours }))?.[1]);
    const heard_at = new Date(now - 86_400_000).toISOString();
    expect(grey({ state: 'online', heard_at })).toBe(0);
    expect(grey({ state: 'silent', heard_at })).toBe(100);
    expect(grey({ state: 'never' })).toBe(100);
    expect(grey({ online: 3, offline: 1, silent: 0, never: 0 })).toBe(28);
  });
});
