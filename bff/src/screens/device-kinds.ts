import type { DeviceFilters, MachineType, MemberRole } from '../contract.ts';
import { machineTypes, memberRoles } from '../limits/field-limits.ts';
import { swarmOf } from './query-types.ts';
import type { KindFilter } from './points/point-index.ts';

/** The properties that are counted in clusters. The kinds of the index (point-index.ts) are their combinations. */
interface DeviceKind {
  machine_type: MachineType;
  /** Only if the audience is a swarm. */
  resource_type?: MemberRole | null;
}

export type DeviceKinds = ReturnType<typeof deviceKindsOf>;

export function deviceKindsOf(audience: string) {
  const groups: Omit<DeviceKind, 'machine_type'>[] =
    swarmOf(audience) === undefined ? [{}] : memberRoles.map((resource_type) => ({ resource_type }));
  const kinds: DeviceKind[] = machineTypes.flatMap((machine_type) => groups.map((rest) => ({ machine_type, ...rest })));

  const total = (counts: readonly number[], includesKind: KindFilter) =>
    counts.reduce((sum, count, kind) => (includesKind(kind) ? sum + count : sum), 0);

  return {
    count: kinds.length,
    kindOf: ({ machine_type, resource_type }: DeviceKind): number => {
      const group = resource_type ? memberRoles.indexOf(resource_type) : 0;
      return machineTypes.indexOf(machine_type) * groups.length + group;
    },
    filter: ({ machine_type, resource_type }: Pick<DeviceFilters, 'machine_type' | 'resource_type'>): KindFilter => {
      const included = kinds.map(
        (kind) =>
          (!machine_type || machine_type.includes(kind.machine_type)) &&
          (!resource_type || resource_type.includes(kind.resource_type!)),
      );
      return (kind) => included[kind]!;
    },
    total,
    byType: (counts: readonly number[]) =>
      named(machineTypes, (type) => total(counts, (kind) => kinds[kind]!.machine_type === type)),
    /** Undefined if the audience is not a swarm. */
    byRole: (counts: readonly number[]) =>
      swarmOf(audience) === undefined
        ? undefined
        : named(memberRoles, (role) => total(counts, (kind) => kinds[kind]!.resource_type === role)),
  };
}

function named<T extends string>(names: readonly T[], of: (name: T) => number): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<T, number>;
}
