import type { Box } from './bounds.ts';
import { fewDevices, sizeOf } from './point-layer.ts';
import type { PointLayerReader } from './point-layer.ts';
import { toX, toY } from './mercator.ts';
import { columnOfKey, levels, rowOfKey, side } from './morton.ts';
import { emptyAggregate } from './aggregate.ts';

export interface Picture {
  bbox: Box;
  /** In pixels. */
  width: number;
  height: number;
}

/**
 * The number of devices in each pixel of a view, up to 255, row by row from the north-west. Cells within one pixel are
 * counted as a whole.
 */
export function densityOf({
  layers,
  ...picture
}: Picture & { layers: readonly (PointLayerReader | undefined)[] }): Uint8Array {
  const { width, height } = picture;
  const pixels = new Uint8Array(width * height);
  const { pixelOf, touches } = createRaster(picture);
  const add = (pixel: number, count: number) => {
    if (pixel >= 0) pixels[pixel] = Math.min(255, pixels[pixel]! + count);
  };

  for (const layer of layers) {
    layer?.walk((range) => {
      const cell = 2 ** (levels - range.level);
      const [column, row] = [range.column * cell, range.row * cell];
      if (!touches(column, row, cell)) return false;
      const pixel = pixelOf(column, row);
      // The corners of the whole world are neighbours in a view across the antimeridian.
      const isWithin = cell < side && pixel === pixelOf(column + cell - 1, row + cell - 1);
      if (isWithin && (pixel >= 0 || cell === 1)) {
        const aggregate = emptyAggregate();
        layer.addTo(aggregate, range);
        add(pixel, aggregate.count);
        return false;
      }
      if (sizeOf(range) > fewDevices) return true;
      layer.eachIn(range, ({ key }, slot) => add(pixelOf(columnOfKey(key[slot]!), rowOfKey(key[slot]!)), 1));
      return false;
    });
  }
  return pixels;
}

/** Converts columns and rows of the finest grid (morton.ts) to pixels, by their centres. */
export function createRaster({ bbox: [west, south, east, north], width, height }: Picture) {
  const left = toX(west) * side;
  const top = toY(north) * side;
  const wide = (toX(east) - toX(west) + (west > east ? 1 : 0)) * side;
  const high = (toY(south) - toY(north)) * side;
  return {
    /** -1 if it is outside. */
    pixelOf(column: number, row: number): number {
      const way = column + 0.5 - left;
      const x = Math.floor(((way < 0 ? way + side : way) / wide) * width);
      const y = Math.floor(((row + 0.5 - top) / high) * height);
      return x < width && y >= 0 && y < height ? y * width + x : -1;
    },
    touches(column: number, row: number, cell: number): boolean {
      const across = (column <= left + wide && column + cell >= left) || column + side <= left + wide;
      return across && row <= top + high && row + cell >= top;
    },
  };
}
