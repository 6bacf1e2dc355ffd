import { describe, expect, it } from 'vitest';
import { CHUNK, packLines, traceAreas, traceLines, type Frame } from './trace.ts';

/** Records a path instead of drawing it. */
function recorder() {
  const paths: [number, number][][] = [];
  return {
    paths,
    moveTo: (x: number, y: number) => void paths.push([[x, y]]),
    lineTo: (x: number, y: number) => void paths.at(-1)?.push([x, y]),
  };
}

/** An irregular closed outline around the middle of the world. */
function outline(points: number): number[] {
  return Array.from({ length: points }, (_, at) => {
    const angle = (at / points) * 2 * Math.PI;
    const radius = 0.3 + 0.1 * Math.sin(at * 7.3) + 0.02 * Math.sin(at * 91);
    return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
  }).flat();
}

function inside(path: [number, number][], x: number, y: number): boolean {
  let odd = false;
  path.forEach(([fromX, fromY], at) => {
    const [toX, toY] = path[(at + 1) % path.length]!;
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) odd = !odd;
  });
  return odd;
}

const size = 256;
const frameAt = (scale: number, x: number, y: number): Frame => ({
  scale,
  left: x * size,
  top: y * size,
  width: size,
  height: size,
});

describe('traceAreas', () => {
  it('draws the same area within every tile with far fewer points', () => {
    const line = outline(4000);
    const areas = packLines([line]);
    const scale = size * 8;
    let drawn = 0;
    for (let tile = 0; tile < 64; tile += 1) {
      const frame = frameAt(scale, tile % 8, Math.floor(tile / 8));
      const pen = recorder();
      traceAreas({ pen, areas, frame });
      const whole = Array.from({ length: line.length / 2 }, (_, at): [number, number] => [
        line[at * 2]! * scale - frame.left,
        line[at * 2 + 1]! * scale - frame.top,
      ]);
      drawn += pen.paths.reduce((sum, path) => sum + path.length, 0);
      for (let probe = 0; probe < 100; probe += 1) {
        const [x, y] = [(probe % 10) * 25.6 + 12.34, Math.floor(probe / 10) * 25.6 + 12.34];
        const painted = pen.paths.some((path) => inside(path, x, y));
        expect(painted, `tile ${tile}, ${x}, ${y}`).toBe(inside(whole, x, y));
      }
    }
    expect(drawn).toBeLessThan(64 * 4000 * 0.25);
  });

  it('skips areas outside the frame', () => {
    const pen = recorder();
    const areas = packLines([
      [0.1, 0.1, 0.2, 0.1, 0.2, 0.2],
      [0.8, 0.8, 0.9, 0.8, 0.9, 0.9],
    ]);
    traceAreas({ pen, areas, frame: frameAt(size * 2, 0, 0) });
    expect(pen.paths).toHaveLength(1);
  });

  it('draws an outline across the antimeridian on both edges of the world', () => {
    const areas = packLines([[0.95, 0.4, 1.05, 0.4, 1.05, 0.45]]);
    const west = recorder();
    const east = recorder();
    traceAreas({ pen: west, areas, frame: frameAt(size * 2, 0, 0) });
    traceAreas({ pen: east, areas, frame: frameAt(size * 2, 1, 0) });
    expect(west.paths[0]?.map(([x]) => Math.round(x))).toEqual([-26, 26, 26]);
    expect(east.paths[0]?.map(([x]) => Math.round(x))).toEqual([230, 282, 282]);
  });
});

describe('traceLines', () => {
  const straight = Array.from({ length: 10 * CHUNK + 1 }, (_, at) => [at / (10 * CHUNK), 0.5]).flat();

  it('passes the length of the line before each run, so that dashes continue across tiles', () => {
    const lengths: number[] = [];
    const pen = recorder();
    const frame = frameAt(size * 8, 4, 3.5);
    traceLines({ pen, lines: packLines([straight]), frame, begin: (length) => lengths.push(length) });
    expect(lengths).toHaveLength(1);
    expect(lengths[0]! - frame.left).toBeCloseTo(pen.paths[0]![0]![0], 2);
  });

  it('draws a line that crosses the frame as one run', () => {
    const pen = recorder();
    traceLines({ pen, lines: packLines([straight]), frame: frameAt(size * 8, 4, 3.5) });
    expect(pen.paths).toHaveLength(1);
    const xs = pen.paths[0]!.map(([x]) => x);
    expect(Math.min(...xs)).toBeLessThanOrEqual(0);
    expect(Math.max(...xs)).toBeGreaterThanOrEqual(size);
    expect(xs.length).toBeLessThan(straight.length / 4);
  });
});
