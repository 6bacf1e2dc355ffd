/** One tile of the web's usual grid: column x and row y of 2^z, and whether it is the one for fine screens. */
export interface TileName {
  z: number;
  x: number;
  y: number;
  fine: boolean;
}

const deepest = 22;
const whole = /^(0|[1-9]\d{0,6})$/;

/** Reads the last three parts of a tile's path, `5/16/10` or `5/16/10@2x`. Undefined: there is no such tile. */
export function readTileName(parts: { z: string; x: string; y: string }): TileName | undefined {
  const fine = parts.y.endsWith('@2x');
  const numbers = [parts.z, parts.x, fine ? parts.y.slice(0, -3) : parts.y];
  if (!numbers.every((part) => whole.test(part))) return undefined;
  const [z, x, y] = numbers.map(Number) as [number, number, number];
  return z <= deepest && x < 2 ** z && y < 2 ** z ? { z, x, y, fine } : undefined;
}

/** What it is called here, also as a file. */
export function keyOf({ z, x, y, fine }: TileName): string {
  return `${z}-${x}-${y}${fine ? '@2x' : ''}`;
}

/** Where `template`, a TILE_URL, has it. */
export function addressOf(template: string, { z, x, y, fine }: TileName): URL {
  const parts: Record<string, string> = { z: `${z}`, x: `${x}`, y: `${y}`, r: fine ? '@2x' : '' };
  return new URL(template.replaceAll(/\{([zxyr])\}/g, (_, name: string) => parts[name]!));
}

/** Whether there are any for fine screens. */
export function hasFine(template: string): boolean {
  return template.includes('{r}');
}
