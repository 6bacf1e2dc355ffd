import { describe, expect, it } from 'vitest';
import { worldSize } from '../geometry/mercator.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import { packLines } from '../geometry/trace.ts';
import { drawBasemap, graticuleStep } from './basemap.draw.ts';

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

describe('lakes and rivers', () => {
  const everywhere = packLines([[0, 0, 1, 0, 1, 1, 0, 0]]);
  const world = { land: everywhere, coast: everywhere, borders: packLines([]), names: [] };
  const colours = { sea: 'sea', land: 'land', coast: 'coast', grat: 'grat', border: 'border' } as MapColours;

  /** The colours of the fills and strokes, in order. */
  function drawn(zoom: number): string[] {
    const calls: string[] = [];
    const context = {
      fillRect() {},
      beginPath() {},
      moveTo() {},
      lineTo() {},
      setLineDash() {},
      fillStyle: '',
      strokeStyle: '',
      fill() {
        calls.push(`fill ${this.fillStyle}`);
      },
      stroke() {
        calls.push(`stroke ${this.strokeStyle}`);
      },
    };
    drawBasemap({
      context: context as unknown as CanvasRenderingContext2D,
      land: [world],
      waters: [{ lakes: everywhere, rivers: everywhere }],
      colours,
      frame: { scale: worldSize(zoom), left: 0, top: 0, width: 256, height: 256 },
    });
    return calls;
  }

  it('are drawn on the land, rivers from zoom 6', () => {
    expect(drawn(5.75).slice(0, 3)).toEqual(['fill land', 'fill sea', 'stroke coast']);
    expect(drawn(6).slice(0, 4)).toEqual(['fill land', 'stroke sea', 'fill sea', 'stroke coast']);
  });
});
