import type { Change } from '../storage/change-log.ts';
import type { AudienceRows } from './audience-rows.store.ts';
import { deviceKindsOf } from './device-kinds.ts';
import type { DeviceKinds } from './device-kinds.ts';
import { swarmOf } from './filters.ts';
import type { MapQuery } from './filters.ts';
import { createHeldIndex } from './held-index.ts';
import type { HeldIndex } from './held-index.ts';

/** What kinds do not answer (device-kinds.ts): each choice has an index of its own. */
export type DerivingFilters = Pick<MapQuery['filters'], 'q' | 'swarm'>;

/** The devices that somebody looks at: all of an audience, and those that a search or a swarm leaves of it. */
export interface AudienceIndex {
  readonly kinds: DeviceKinds;
  of(asked: { user: string; filters: DerivingFilters }): HeldIndex;
  /** What a commit changed; it may have nothing to do with this audience. */
  changed(changes: readonly Change[]): void;
  /** Devices in all its indexes. */
  readonly size: number;
}

const mostDerived = 8;

/** `start` runs the build of an index, and ends it early where `isWanted` says so. */
export function createAudienceIndex(options: {
  audience: string;
  /** Whose own devices, or whose view of others', it is; of a swarm's members: any of those who may list them. */
  user: string;
  rowsOf: (asked: { user: string; filters: DerivingFilters }) => AudienceRows;
  start: (held: HeldIndex, isWanted: () => boolean) => void;
  newName: () => string;
}): AudienceIndex {
  const { audience, user: owner, rowsOf, start, newName } = options;
  const kinds = deviceKindsOf(audience);
  const swarm = swarmOf(audience);
  /** The least recently used first. */
  const derived = new Map<string, { user: string; held: HeldIndex }>();
  let base: HeldIndex | undefined;

  function hold(asked: { user: string; filters: DerivingFilters }, isWanted: (held: HeldIndex) => boolean): HeldIndex {
    const held = createHeldIndex({ rows: rowsOf(asked), kinds, name: newName(), among: base });
    held.ready.catch(() => forget(held));
    start(held, () => isWanted(held));
    return held;
  }

  function forget(failed: HeldIndex) {
    if (base === failed) base = undefined;
    for (const [key, { held }] of derived) if (held === failed) derived.delete(key);
  }

  const holdBase = () => (base ??= hold({ user: owner, filters: {} }, (held) => base === held));

  function derive(user: string, filters: DerivingFilters): HeldIndex {
    // which swarms of others' devices one may know of is not the same for all
    const key = JSON.stringify([filters.q, filters.swarm, filters.swarm && user]);
    const kept = derived.get(key) ?? {
      user,
      held: hold({ user, filters }, (held) => derived.get(key)?.held === held),
    };
    derived.delete(key);
    derived.set(key, kept);
    if (derived.size > mostDerived) derived.delete(derived.keys().next().value!);
    return kept.held;
  }

  function mayConcern(change: Extract<Change, { resource: number }>): boolean {
    if (base!.building !== undefined || base!.index.has(change.resource)) return true;
    if ('user' in change) return swarm === undefined && change.user === owner;
    return audience === 'visible' || change.swarm === swarm;
  }

  /** Whoever sees more or less swarms than before sees other devices, and other swarms of them. */
  function letGo(change: Exclude<Change, { resource: number }>) {
    if ('everything' in change || (audience === 'visible' && change.user === owner)) {
      base = undefined;
      derived.clear();
    } else if (swarm !== undefined) {
      for (const [key, { user }] of derived) if (user === change.user) derived.delete(key);
    }
  }

  return {
    kinds,
    of({ user, filters: { q, swarm: inSwarm } }) {
      holdBase();
      // `none` is a kind
      const filters = { ...(q !== undefined && { q }), ...(inSwarm && inSwarm !== 'none' && { swarm: inSwarm }) };
      return Object.keys(filters).length === 0 ? holdBase() : derive(user, filters);
    },
    changed(changes) {
      if (!base) return;
      const resources = new Set<number>();
      for (const change of changes) {
        if (!('resource' in change)) letGo(change);
        else if (mayConcern(change)) resources.add(change.resource);
        if (!base) return;
      }
      if (resources.size === 0) return;
      const refs = [...resources];
      for (const held of [base, ...[...derived.values()].map((each) => each.held)]) held.changed(refs);
    },
    get size() {
      const all = [base, ...[...derived.values()].map(({ held }) => held)];
      return all.reduce((sum, held) => sum + (held?.index.size ?? 0), 0);
    },
  };
}
