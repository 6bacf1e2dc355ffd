/** The filters of the members and their URL. Parameters have the API's names. */
import type { DeviceFilters, DeviceSort, MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/field-rules';
import type { UrlCodec } from '../../../ui/url-state.ts';

export type MemberFilters = Pick<DeviceFilters, 'q' | 'resource_type' | 'machine_type'> & {
  /** The bbox of a cluster that no zoom separates: the table shows only its members. */
  bbox?: Bbox;
};

export type MemberSort = Exclude<DeviceSort, '-created'>;
export const memberSorts: readonly MemberSort[] = ['name', 'owner', '-changed', '-joined'];

export type Bbox = NonNullable<DeviceFilters['bbox']>;

function readMemberFilters(params: URLSearchParams): MemberFilters {
  const q = params.get('q');
  const some = <Value extends string>(name: string, known: readonly Value[]) => {
    const wanted = params.get(name)?.split(',') ?? [];
    return known.filter((value) => wanted.includes(value));
  };
  const resource_type = some('resource_type', memberRoles);
  const machine_type = some('machine_type', machineTypes);
  const bbox = params.get('bbox')?.split(',').map(Number) ?? [];
  return {
    ...(q && { q }),
    ...(resource_type.length > 0 && { resource_type }),
    ...(machine_type.length > 0 && { machine_type }),
    ...(bbox.length === 4 && bbox.every(Number.isFinite) && { bbox: bbox as Bbox }),
  };
}

/** The members tab: filters of the table and the map, the order of the table, and the selected member. */
export const membersUrl: UrlCodec<{ filters: MemberFilters; sort: MemberSort; selected: string | null }> = {
  read: (params) => ({
    filters: readMemberFilters(params),
    sort: memberSorts.find((known) => known === params.get('sort')) ?? 'name',
    selected: params.get('sel'),
  }),
  write: ({ filters, sort, selected }) => ({
    q: filters.q || undefined,
    resource_type: filters.resource_type?.join(',') || undefined,
    machine_type: filters.machine_type?.join(',') || undefined,
    bbox: filters.bbox?.join(','),
    sort: sort === 'name' ? undefined : sort,
    sel: selected ?? undefined,
  }),
};

/** Adds or removes a role, in a fixed order. */
export function toggleRole({ resource_type = [], ...rest }: MemberFilters, role: MemberRole): MemberFilters {
  const next = memberRoles.filter((known) => (known === role) !== resource_type.includes(known));
  return next.length > 0 ? { ...rest, resource_type: next } : rest;
}

export function toggleMachineType({ machine_type = [], ...rest }: MemberFilters, type: MachineType): MemberFilters {
  const next = machineTypes.filter((known) => (known === type) !== machine_type.includes(known));
  return next.length > 0 ? { ...rest, machine_type: next } : rest;
}

export function withoutBbox({ bbox: _bbox, ...rest }: MemberFilters): MemberFilters {
  return rest;
}

/** The actions on a member that the user may take as the owner of the swarm or of the device. */
export function memberActs({
  role,
  mine,
  owner,
}: {
  role: MemberRole;
  /** The user owns the device. */
  mine: boolean;
  /** The user owns the swarm. */
  owner: boolean;
}): {
  make: MemberRole[];
  narrow: MemberRole[];
  invite: 'producer' | 'consumer' | null;
  remove: boolean;
} {
  const free = mine && owner;
  const others = memberRoles.filter((known) => known !== role);
  return {
    make: free ? others : [],
    narrow: !free && (mine || owner) && role === 'both' ? others : [],
    invite: owner && !mine && role !== 'both' ? (role === 'producer' ? 'consumer' : 'producer') : null,
    remove: owner || mine,
  };
}
