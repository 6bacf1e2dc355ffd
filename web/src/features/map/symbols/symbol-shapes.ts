import type { MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/first-rules';

/** The shape of a single device in px. Types differ by shape, not by colour alone. */
export const outlines: Record<MachineType, string> = {
  pc: 'M-7.5-11h15a3.5 3.5 0 0 1 3.5 3.5v15a3.5 3.5 0 0 1-3.5 3.5h-15a3.5 3.5 0 0 1-3.5-3.5v-15a3.5 3.5 0 0 1 3.5-3.5z',
  bug: 'M0-13.3 11.5-6.65v13.3L0 13.3-11.5 6.65v-13.3z',
  smartphone: 'M-9-4.300a9 9 0 0 1 18 0v8.600a9 9 0 0 1-18 0z',
};

/** The custom property with a machine type's colour. */
export const typeColours = { pc: 't-pc', bug: 't-bug', smartphone: 't-phone' } as const satisfies Record<
  MachineType,
  string
>;

export const GLYPH_SIZE = 14;
export const RIM = 1.8;
/** The line of a hollow symbol. */
export const HOLLOW = 2;
export const HOVER = { radius: 18.5, width: 1.5 };
export const SELECTED = { radius: 21, width: 4 };
export const RING_WIDTH = 3.5;

const GAP = 2.2;
/** The minimum share of the ring for a type, so that one in a hundred is visible. */
const LEAST_SHARE = 0.035;

interface Arc {
  type: MachineType;
  /** Canvas angles: 0 points right, -π/2 up, clockwise. */
  from: number;
  to: number;
}

/** The shares of a cluster's machine types as arcs of a ring, clockwise from the top, with small gaps. */
export function ringArcs({ by_type, radius }: { by_type: Record<MachineType, number>; radius: number }): Arc[] {
  const present = machineTypes.filter((type) => by_type[type] > 0);
  const [only] = present;
  if (only !== undefined && present.length === 1) return [{ type: only, from: -Math.PI / 2, to: 1.5 * Math.PI }];

  const total = present.reduce((sum, type) => sum + by_type[type], 0);
  const shares = present.map((type) => Math.max(LEAST_SHARE, by_type[type] / total));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const gap = GAP / radius;
  let from = -Math.PI / 2;
  return present.map((type, at) => {
    const start = from;
    from += ((shares[at] ?? 0) / whole) * 2 * Math.PI;
    return { type, from: start + gap / 2, to: from - gap / 2 };
  });
}
