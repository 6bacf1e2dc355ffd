/** Filters of devices as they are in a URL or a request. Parameters have the names of the API. */
import type { DeviceFilters, DeviceSort, MachineType, MemberRole, PresenceState } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles, presenceStates, searchLength } from '@swarmdeck/bff/first-rules';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

interface Choices {
  machine_type: MachineType;
  resource_type: MemberRole;
  presence: PresenceState;
}

type Chosen<Name extends keyof Choices> = { [Each in Name]?: readonly Choices[Each][] };

export const choices: { readonly [Name in keyof Choices]: readonly Choices[Name][] } = {
  machine_type: machineTypes,
  resource_type: memberRoles,
  presence: presenceStates,
};

/** The known values of a parameter, in a fixed order; undefined without the parameter. */
export function readChosen<Name extends keyof Choices>(params: URLSearchParams, name: Name) {
  const wanted = params.get(name)?.split(',');
  return wanted && choices[name].filter((choice) => wanted.includes(choice));
}

/** Adds or removes a value, in a fixed order. */
export function toggleChosen<Name extends keyof Choices, Filters extends Chosen<Name>>(
  filters: Filters,
  name: Name,
  value: Choices[Name],
): Filters {
  const chosen: readonly string[] = filters[name] ?? [];
  return { ...filters, [name]: choices[name].filter((choice) => (choice === value) !== chosen.includes(choice)) };
}

/** The text of a search, as much as the server takes: an address may have more. */
export const readSearch = (params: URLSearchParams): string => (params.get('q') ?? '').slice(0, searchLength);

export function readBbox(params: URLSearchParams): Bbox | null {
  const [west, south, east, north, more] = params.get('bbox')?.split(',').map(Number) ?? [];
  if (more !== undefined || ![west, south, east, north].every(Number.isFinite)) return null;
  return [west!, south!, east!, north!];
}

/** The parameters of these filters, in a fixed order; undefined for those that filter nothing. */
export const filterParams = ({
  q,
  action,
  machine_type,
  resource_type,
  presence,
  swarm,
  placed,
  refused,
  bbox,
  values,
  value,
  value_from,
  value_to,
}: Omit<DeviceFilters, 'audience'> & ValueFilter) => ({
  q: q || undefined,
  action,
  machine_type: machine_type?.join(',') || undefined,
  resource_type: resource_type?.join(',') || undefined,
  presence: presence?.join(',') || undefined,
  swarm: swarm || undefined,
  placed,
  refused,
  bbox: bbox?.join(','),
  values: values?.map(keyParam).join(',') || undefined,
  value: value && keyParam(value),
  value_from: value_from?.toString(),
  value_to: value_to?.toString(),
});

/** The values that are shown of each device, and by which one devices are filtered. */
export type ValueFilter = Pick<DeviceFilters, 'value' | 'value_from' | 'value_to'> & { values?: readonly string[] };

export function readValueFilter(params: URLSearchParams): ValueFilter {
  const values = params.get('values')?.split(',').map(decodeKey).filter(Boolean);
  const value = decodeKey(params.get('value') ?? '');
  const bound = (name: 'value_from' | 'value_to') => {
    const number = Number(params.get(name) || Number.NaN);
    return Number.isFinite(number) ? { [name]: number } : {};
  };
  return {
    ...(values?.length && { values }),
    ...(value && { value, ...bound('value_from'), ...bound('value_to') }),
  };
}

export const isByValue = (sort: DeviceSort) => sort === 'value' || sort === '-value';

/** A list in this order. By a value, it has only devices that have it. */
export function sortedBy<Sort extends DeviceSort, Filters extends ValueFilter>(sort: Sort, filters: Filters) {
  const [key] = filters.values ?? [];
  return { sort, filters: isByValue(sort) && key !== undefined ? { ...filters, value: key } : filters };
}

/** Shows this value of each device, or none, and filters by it. */
export function withValues<Filters extends ValueFilter>(filters: Filters, chosen: ValueFilter): Filters {
  const { values: _values, value: _value, value_from: _from, value_to: _to, ...rest } = filters;
  return { ...rest, ...chosen } as Filters;
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Keys of values are separated by commas, so one in a key is encoded. */
export const keyParam = (key: string) => key.replace(/[%,]/g, encodeURIComponent);

/** A query string of the parameters that have a value. */
export function queryString(params: Record<string, string | undefined>): string {
  const present = Object.entries(params).filter((param): param is [string, string] => Boolean(param[1]));
  return new URLSearchParams(present).toString();
}
