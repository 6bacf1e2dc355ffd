/** A tile of the XYZ scheme: column x and row y of 2^z. `retina`: its `@2x` version. */
export interface TileName {
  z: number;
  x: number;
  y: number;
  retina: boolean;
}

const deepest = 22;
const whole = /^(0|[1-9]\d{0,6})$/;

/** Parses the last three segments of a tile's path, `5/16/10` or `5/16/10@2x`. Undefined if there is no such tile. */
export function readTileName(parts: { z: string; x: string; y: string }): TileName | undefined {
  const retina = parts.y.endsWith('@2x');
  const numbers = [parts.z, parts.x, retina ? parts.y.slice(0, -3) : parts.y];
  if (!numbers.every((part) => whole.test(part))) return undefined;
  const [z, x, y] = numbers.map(Number) as [number, number, number];
  return z <= deepest && x < 2 ** z && y < 2 ** z ? { z, x, y, retina } : undefined;
}

/** The key of the tile. */
export function keyOf({ z, x, y, retina }: TileName): string {
  return `${z}-${x}-${y}${retina ? '@2x' : ''}`;
}

/** The URL of the tile by the TILE_URL template. */
export function addressOf(template: string, { z, x, y, retina }: TileName): URL {
  const parts: Record<string, string> = { z: `${z}`, x: `${x}`, y: `${y}`, r: retina ? '@2x' : '' };
  return new URL(template.replaceAll(/\{([zxyr])\}/g, (_, name: string) => parts[name]!));
}

/** Whether the template has `@2x` tiles. */
export function hasRetina(template: string): boolean {
  return template.includes('{r}');
}
