/** A square of a canvas, from `x` and `y` on, in pixels of the screen. */
interface Square {
  canvas: HTMLCanvasElement;
  x: number;
  y: number;
}

/** In a row, and so many rows: at a side of 72 px one canvas of 4 MB. */
const ACROSS = 14;

/** Squares with a side of so many pixels, many on one canvas: to make a canvas costs more than what is drawn on it. */
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
