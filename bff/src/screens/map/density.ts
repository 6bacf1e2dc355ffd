import type { DeviceColumns } from '../device-table.ts';
import type { Box } from './bounds.ts';
import { side, toX, toY } from './mercator.ts';

export interface Picture {
  bbox: Box;
  /** In pixels. */
  width: number;
  height: number;
}

/**
 * The number of devices in each pixel of a view, up to 255, row by row from the north-west. The devices have positions.
 */
export function densityOf({
  columns: { x, y },
  slots,
  ...picture
}: Picture & { columns: DeviceColumns; slots: Uint32Array }): Uint8Array {
  const pixels = new Uint8Array(picture.width * picture.height);
  const pixelOf = createRaster(picture);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    const pixel = pixelOf(x[slot]!, y[slot]!);
    if (pixel >= 0 && pixels[pixel]! < 255) pixels[pixel]! += 1;
  }
  return pixels;
}

/** Converts columns and rows of the finest grid (mercator.ts) to pixels, by their centres; -1 if it is outside. */
export function createRaster({ bbox: [west, south, east, north], width, height }: Picture) {
  const left = toX(west) * side;
  const top = toY(north) * side;
  const wide = (toX(east) - toX(west) + (west > east ? 1 : 0)) * side;
  const high = (toY(south) - toY(north)) * side;
  return (column: number, row: number): number => {
    const way = column + 0.5 - left;
    const x = Math.floor(((way < 0 ? way + side : way) / wide) * width);
    const y = Math.floor(((row + 0.5 - top) / high) * height);
    return x < width && y >= 0 && y < height ? y * width + x : -1;
  };
}
