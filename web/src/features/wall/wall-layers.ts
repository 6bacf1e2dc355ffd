/** Which layers of a wall are on, as its URL says it: the names of the API's filters, absent where all are on. */
import type { DeviceFilters, MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/limits';

export interface Layers {
  machine_type: readonly MachineType[];
  /** Of a swarm's members alone. */
  resource_type: readonly MemberRole[];
}

const every = { machine_type: machineTypes, resource_type: memberRoles } as const satisfies Layers;
const groups = ['machine_type', 'resource_type'] as const;

export function readLayers(params: URLSearchParams): Layers {
  const some = <Value extends string>(name: string, known: readonly Value[]) => {
    const wanted = params.get(name)?.split(',');
    return wanted === undefined ? known : known.filter((value) => wanted.includes(value));
  };
  return {
    machine_type: some('machine_type', machineTypes),
    resource_type: some('resource_type', memberRoles),
  };
}

/** The same parameters with these layers in them; `machine_type=` is none of them. */
export function writeLayers(params: URLSearchParams, layers: Layers): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const group of groups) {
    if (layers[group].length === every[group].length) next.delete(group);
    else next.set(group, layers[group].join(','));
  }
  return next;
}

export function toggleType(layers: Layers, type: MachineType): Layers {
  return { ...layers, machine_type: toggled(machineTypes, layers.machine_type, type) };
}

export function toggleRole(layers: Layers, role: MemberRole): Layers {
  return { ...layers, resource_type: toggled(memberRoles, layers.resource_type, role) };
}

function toggled<Value>(known: readonly Value[], on: readonly Value[], value: Value): Value[] {
  return known.filter((each) => (each === value) !== on.includes(each));
}

/** What the map is asked for; null: nothing is on. */
export function filtersOf({ audience, layers }: { audience: string; layers: Layers }): DeviceFilters | null {
  const { machine_type, resource_type } = layers;
  const roles = audience.startsWith('swarm:') ? resource_type : memberRoles;
  if (machine_type.length === 0 || roles.length === 0) return null;
  return {
    audience,
    ...(machine_type.length < machineTypes.length && { machine_type: [...machine_type] }),
    ...(roles.length < memberRoles.length && { resource_type: [...roles] }),
  };
}
