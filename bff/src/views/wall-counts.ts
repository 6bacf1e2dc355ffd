import type { WallView } from '../contract.ts';
import type { DeviceKinds } from './device-kinds.ts';
import type { PointIndex } from './points/point-index.ts';
import type { Recent } from './recent.ts';

export type WallCounts = Omit<WallView, 'at' | 'building'>;

/** The counts of a wall for a whole audience: sums over its kinds, and the changes of the last minute. */
export function wallCountsOf(of: { index: PointIndex; kinds: DeviceKinds; recent: Recent; since: number }): WallCounts {
  const { index, kinds, recent, since } = of;
  const placed = index.placed();
  const unplaced = index.unplaced();
  const every = placed.map((count, kind) => count + unplaced[kind]!);
  const by_role = kinds.byRole(every);
  return {
    total: index.size,
    unplaced: kinds.total(unplaced, () => true),
    machine_type: kinds.byType(every),
    ...(by_role && { resource_type: by_role }),
    changed: recent.countSince(since),
    newest: recent.newest === undefined ? null : new Date(recent.newest).toISOString(),
  };
}
