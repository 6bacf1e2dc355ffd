import type { Feature } from 'protomaps-leaflet';

type Line = Feature['geom'][number];
type Point = Line[number];

/** In px of a vector tile: how far a line may be from that of its road. */
const tolerance = 1;

/**
 * Roads with a line for all pieces that continue each other, without vertices that hardly bend it: names are written along straight
 * parts that are long enough, and some schemas have a line for each piece between two crossings.
 */
export function joinRoads(pieces: readonly Feature[]): Feature[] {
  const roads = Map.groupBy(pieces, ({ props }) => JSON.stringify([props['kind'], props['class'], props['name']]));
  return [...roads.values()].map((of) => {
    const geom = joined(of.flatMap((piece) => piece.geom)).map(simplified);
    const vertices = geom.flat();
    const [xs, ys] = [vertices.map(({ x }) => x), vertices.map(({ y }) => y)];
    const bbox = { minX: least(xs), minY: least(ys), maxX: -least(xs.map((x) => -x)), maxY: -least(ys.map((y) => -y)) };
    return { ...of[0]!, geom, bbox, numVertices: vertices.length };
  });
}

const least = (values: readonly number[]) => values.reduce((one, other) => Math.min(one, other), Infinity);

const keyOf = ({ x, y }: Point) => `${x} ${y}`;

/** Lines that have an end in common are one line. */
function joined(lines: readonly Line[]): Line[] {
  const left = new Set(lines);
  const ends = new Map<string, Line[]>();
  for (const line of lines)
    for (const end of [line[0], line.at(-1)]) {
      if (!end) continue;
      const others = ends.get(keyOf(end));
      if (others) others.push(line);
      else ends.set(keyOf(end), [line]);
    }
  return lines.flatMap((line) => {
    if (!left.delete(line) || line.length < 2) return [];
    const chain = [...line];
    // From its end, and then from its start.
    for (let side = 0; side < 2; side += 1) {
      for (let next: Line | undefined = line; next;) {
        const end = keyOf(chain.at(-1)!);
        next = ends.get(end)?.find((other) => left.delete(other));
        if (next) chain.push(...(keyOf(next[0]!) === end ? next : next.toReversed()).slice(1));
      }
      chain.reverse();
    }
    return [chain];
  });
}

/** Without the vertices that are near the straight line between others (Douglas and Peucker). */
function simplified(line: Line): Line {
  if (line.length < 3) return line;
  const [first, last] = [line[0]!, line.at(-1)!];
  let farthest = 0;
  let distance = tolerance;
  for (let at = 1; at < line.length - 1; at += 1) {
    const away = distanceTo(line[at]!, first, last);
    if (away <= distance) continue;
    distance = away;
    farthest = at;
  }
  if (farthest === 0) return [first, last];
  return [...simplified(line.slice(0, farthest + 1)).slice(0, -1), ...simplified(line.slice(farthest))];
}

/** The distance of a point to the straight line between two others; to the first, if both are the same. */
function distanceTo({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return Math.hypot(x - from.x, y - from.y);
  return Math.abs(dy * (x - from.x) - dx * (y - from.y)) / length;
}
