import type { DeviceFilters, MachineType, MemberRole } from '../contract.ts';
import { machineTypes, memberRoles } from '../limits/field-rules.ts';
import { kinds } from './device-table.ts';
import type { KindFilter } from './map/coarse-cells.ts';
import { swarmOf } from './device-query.ts';

export type TypeRoleKinds = ReturnType<typeof typeRoleKindsOf>;

const typeOf = (kind: number): MachineType => machineTypes[kind % machineTypes.length]!;
const roleOf = (kind: number): MemberRole => memberRoles[Math.floor(kind / machineTypes.length)]!;

/** What the kinds of a table (device-table.ts) mean in an audience. */
export function typeRoleKindsOf(audience: string) {
  const total = (counts: readonly number[], includesKind: KindFilter) =>
    counts.reduce((sum, count, kind) => (includesKind(kind) ? sum + count : sum), 0);

  return {
    filter: ({ machine_type, resource_type }: Pick<DeviceFilters, 'machine_type' | 'resource_type'>): KindFilter => {
      const included = Array.from(
        { length: kinds },
        (_, kind) =>
          (!machine_type || machine_type.includes(typeOf(kind))) &&
          (!resource_type || resource_type.includes(roleOf(kind))),
      );
      return (kind) => included[kind]!;
    },
    byType: (counts: readonly number[]) =>
      named(machineTypes, (type) => total(counts, (kind) => typeOf(kind) === type)),
    /** Undefined if the audience is not a swarm. */
    byRole: (counts: readonly number[]) =>
      swarmOf(audience) === undefined
        ? undefined
        : named(memberRoles, (role) => total(counts, (kind) => roleOf(kind) === role)),
  };
}

function named<T extends string>(names: readonly T[], of: (name: T) => number): Record<T, number> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<T, number>;
}
