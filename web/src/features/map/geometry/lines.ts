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
