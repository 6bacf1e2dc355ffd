/** A square of a canvas, in screen pixels. */
interface Square {
  canvas: HTMLCanvasElement;
  x: number;
  y: number;
}

/** Columns and rows: with a side of 72 px, a canvas has 4 MB. */
const ACROSS = 14;

/**
 * Allocates squares with a side of so many pixels on shared canvases, because a canvas costs more than drawing on it.
 */
export function createSheet(side: number) {
  let canvas: HTMLCanvasElement | null = null;
  let taken = 0;
  return {
    side,
    take(): Square {
      const at = taken % ACROSS ** 2;
      if (canvas === null || at === 0) {
        canvas = document.createElement('canvas');
        canvas.width = canvas.height = side * ACROSS;
      }
      taken += 1;
      return { canvas, x: (at % ACROSS) * side, y: Math.floor(at / ACROSS) * side };
    },
  };
}
