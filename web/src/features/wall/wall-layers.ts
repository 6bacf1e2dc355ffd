/** The layers of a wall and its URL. Parameters have the names of the API's filters; they are absent if all are on. */
import type { Device, DeviceFilters, MemberRole } from '@swarmdeck/bff/contract';
import { choices, filterParams, readChosen, readValueFilter, type ValueFilter } from '../../data/filter-params.ts';
import type { UrlCodec } from '../../ui/urls/url-state.ts';

/** Those that are on, by group. */
export type Layers = typeof choices;
export const everyLayer: Layers = choices;
const groups = ['machine_type', 'resource_type', 'presence'] as const;
const isWhole = (layers: Layers, group: keyof Layers) => layers[group].length === everyLayer[group].length;

const readLayers = (params: URLSearchParams) =>
  Object.fromEntries(groups.map((group) => [group, readChosen(params, group) ?? everyLayer[group]])) as Layers;

/** An empty parameter turns all of its layers off. */
const writeLayers = (layers: Layers) =>
  Object.fromEntries(groups.map((group) => [group, isWhole(layers, group) ? undefined : layers[group].join(',')]));

export interface WallUrl {
  layers: Layers;
  selected: string | null;
  /** Whether the map follows the selected device. */
  following: boolean;
  /** The value that symbols show, and the filter by it. */
  value: ValueFilter;
  /** Symbols are coloured by how long ago they were heard, by the value, or by machine type. */
  colour: 'heard' | 'value' | null;
  map: string | null;
  /** Whether the list of devices is open. */
  list: boolean;
}

/** The whole state of a wall is in its URL, so that a browser that restarts shows the same wall. */
export const wallUrl: UrlCodec<WallUrl> = {
  read: (params) => ({
    layers: readLayers(params),
    selected: params.get('sel'),
    following: params.has('sel') && params.get('follow') === '1',
    value: readValueFilter(params),
    colour: colourOf(params.get('colour')),
    map: params.get('map'),
    list: params.get('list') === '1',
  }),
  write: ({ layers, selected, following, value, colour, map, list }) => ({
    ...writeLayers(layers),
    ...valueParams(value),
    sel: selected ?? undefined,
    follow: following && selected !== null ? '1' : undefined,
    colour: colour ?? undefined,
    map: map ?? undefined,
    list: list ? '1' : undefined,
  }),
};

const colourOf = (text: string | null) => (text === 'value' || text === null ? text : 'heard');

function valueParams(chosen: ValueFilter) {
  const { values, value, value_from, value_to } = filterParams(chosen);
  return { values, value, value_from, value_to };
}

/** A newly selected device is not followed. */
export const selection = (selected: string | null) => ({ selected, following: false });

/** Whether a device is in a layer that is on. Without a swarm it has no role. */
export function isOn(
  layers: Layers,
  device: Pick<Device, 'machine_type' | 'presence'> & { resource_type?: MemberRole },
): boolean {
  const { machine_type, resource_type, presence } = device;
  return (
    layers.machine_type.includes(machine_type) &&
    layers.presence.includes(presence.state) &&
    (!resource_type || layers.resource_type.includes(resource_type))
  );
}

/** The filters of the map request; null if all layers of a kind are off. */
export function filtersOf(options: {
  audience: string;
  layers: Layers;
  value?: ValueFilter;
}): (DeviceFilters & ValueFilter) | null {
  const { audience, layers, value } = options;
  // Only the members of a swarm have roles.
  const shown = groups.filter((group) => group !== 'resource_type' || audience.startsWith('swarm:'));
  if (shown.some((group) => layers[group].length === 0)) return null;
  const filtered = shown.filter((group) => !isWhole(layers, group)).map((group) => [group, layers[group]] as const);
  return { audience, ...(Object.fromEntries(filtered) as Omit<DeviceFilters, 'audience'>), ...value };
}
