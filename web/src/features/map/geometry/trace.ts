/**
 * Many lines as flat arrays, which can be transferred from a worker without an object per point. Each line is divided
 * into chunks with bounding boxes, so that drawing a tile reads only the nearby chunks, even of a very long coast.
 */
export interface Lines {
  /** x and y of every point, in world units. */
  points: Float32Array;
  /** For each line the index of its first point, and one past the last line. */
  starts: Uint32Array;
  /** For each line the index of its first chunk, and one past the last line. */
  chunkStarts: Uint32Array;
  /** West, north, east, south of each line. */
  boxes: Float32Array;
  /** West, north, east, south of each chunk. */
  chunkBoxes: Float32Array;
  /** The length of the line before each chunk, for the offset of its dashes. */
  lengths: Float32Array;
}

/** The number of segments in a chunk. Chunks share their end points. */
export const CHUNK = 48;

/** Packs lines given as x, y, x, y … in world units. */
export function packLines(lines: readonly number[][]): Lines {
  const counts = lines.map((line) => Math.max(1, Math.ceil((line.length / 2 - 1) / CHUNK)));
  const pointCount = lines.reduce((sum, line) => sum + line.length / 2, 0);
  const chunkCount = counts.reduce((sum, count) => sum + count, 0);
  const packed: Lines = {
    points: new Float32Array(pointCount * 2),
    starts: new Uint32Array(lines.length + 1),
    chunkStarts: new Uint32Array(lines.length + 1),
    boxes: new Float32Array(lines.length * 4),
    chunkBoxes: new Float32Array(chunkCount * 4),
    lengths: new Float32Array(chunkCount),
  };
  let point = 0;
  let chunk = 0;
  lines.forEach((line, index) => {
    packed.starts[index] = point;
    packed.chunkStarts[index] = chunk;
    packed.points.set(line, point * 2);
    let length = 0;
    for (let first = 0; first === 0 || first < line.length / 2 - 1; first += CHUNK) {
      const last = Math.min(first + CHUNK, line.length / 2 - 1);
      packed.chunkBoxes.set(boxOf(line, first, last), chunk * 4);
      packed.lengths[chunk++] = length;
      length += lengthOf(line, first, last);
    }
    packed.boxes.set(boxOf(line, 0, line.length / 2 - 1), index * 4);
    point += line.length / 2;
  });
  packed.starts[lines.length] = point;
  packed.chunkStarts[lines.length] = chunk;
  return packed;
}

/** The buffers to transfer between threads. */
export function buffersOf(lines: Lines): ArrayBufferLike[] {
  return Object.values(lines).map((array: Float32Array | Uint32Array) => array.buffer);
}

function boxOf(line: readonly number[], first: number, last: number): [number, number, number, number] {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = first; at <= last; at += 1) {
    const x = line[at * 2]!;
    const y = line[at * 2 + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < north) north = y;
    if (y > south) south = y;
  }
  return [west, north, east, south];
}

function lengthOf(line: readonly number[], first: number, last: number): number {
  let length = 0;
  for (let at = first; at < last; at += 1) {
    length += Math.hypot(line[at * 2 + 2]! - line[at * 2]!, line[at * 2 + 3]! - line[at * 2 + 1]!);
  }
  return length;
}

/** A part of the map that is drawn. `left` and `top` are its corner in px of a world that is `scale` px wide. */
export interface Frame {
  scale: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The part of a canvas context that tracing needs. */
type Pen = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>;

/** Lines that are wider than the frame's edge must not end at it. */
const MARGIN = 4;

interface Window {
  west: number;
  north: number;
  east: number;
  south: number;
}

/**
 * Traces the outlines of areas. A chunk outside the frame becomes one straight line, which stays in the chunk's box, so
 * that nothing in the frame changes. A continent then takes some hundred points instead of 80,000.
 */
export function traceAreas({ pen, areas, frame }: { pen: Pen; areas: Lines; frame: Frame }): void {
  eachNear(areas, frame, (line, left, near) => {
    const { points, chunkStarts } = areas;
    const first = areas.starts[line]!;
    const last = areas.starts[line + 1]! - 1;
    const { scale, top } = frame;
    pen.moveTo(points[first * 2]! * scale - left, points[first * 2 + 1]! * scale - top);
    for (let chunk = chunkStarts[line]!, from = first; chunk < chunkStarts[line + 1]!; chunk += 1, from += CHUNK) {
      const to = Math.min(from + CHUNK, last);
      for (let at = touches(areas.chunkBoxes, chunk, near) ? from + 1 : to; at <= to; at += 1) {
        pen.lineTo(points[at * 2]! * scale - left, points[at * 2 + 1]! * scale - top);
      }
    }
  });
}

interface TraceLinesOptions {
  pen: Pen;
  lines: Lines;
  frame: Frame;
  begin?: (length: number) => void;
}

/**
 * Traces the parts of lines near the frame. `begin` is called before each run, with the length of the line up to it in
 * px.
 */
export function traceLines({ pen, lines, frame, begin }: TraceLinesOptions): void {
  eachNear(lines, frame, (line, left, near) => {
    const { points, chunkStarts } = lines;
    const first = lines.starts[line]!;
    const last = lines.starts[line + 1]! - 1;
    const { scale, top } = frame;
    let running = false;
    for (let chunk = chunkStarts[line]!, from = first; chunk < chunkStarts[line + 1]!; chunk += 1, from += CHUNK) {
      const visible = touches(lines.chunkBoxes, chunk, near);
      if (visible) {
        if (!running) {
          begin?.(lines.lengths[chunk]! * scale);
          pen.moveTo(points[from * 2]! * scale - left, points[from * 2 + 1]! * scale - top);
        }
        const to = Math.min(from + CHUNK, last);
        for (let at = from + 1; at <= to; at += 1) {
          pen.lineTo(points[at * 2]! * scale - left, points[at * 2 + 1]! * scale - top);
        }
      }
      running = visible;
    }
  });
}

/** Visits each line near the frame, once for each visible copy of the world. */
function eachNear(lines: Lines, frame: Frame, visit: (line: number, left: number, near: Window) => void): void {
  const { scale, left, top, width, height } = frame;
  const west = (left - MARGIN) / scale;
  const east = (left + width + MARGIN) / scale;
  // An unwrapped outline may be one world beside its own.
  for (let copy = Math.floor(west) - 1; copy <= Math.ceil(east); copy += 1) {
    const near = {
      west: west - copy,
      east: east - copy,
      north: (top - MARGIN) / scale,
      south: (top + height + MARGIN) / scale,
    };
    for (let line = 0; line < lines.starts.length - 1; line += 1) {
      if (touches(lines.boxes, line, near)) visit(line, left - copy * scale, near);
    }
  }
}

function touches(boxes: Float32Array, index: number, near: Window): boolean {
  const at = index * 4;
  return (
    boxes[at]! <= near.east &&
    boxes[at + 2]! >= near.west &&
    boxes[at + 1]! <= near.south &&
    boxes[at + 3]! >= near.north
  );
}
