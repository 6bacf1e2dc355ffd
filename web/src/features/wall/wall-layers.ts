/** The layers of a wall and its URL. Parameters have the names of the API's filters; they are absent if all are on. */
import type { Device, DeviceFilters, MachineType, MemberRole, PresenceState } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles, presenceStates } from '@swarmdeck/bff/field-rules';
import { readChosen } from '../../api/filter-params.ts';
import type { UrlCodec } from '../../ui/url-state.ts';

export interface Layers {
  machine_type: readonly MachineType[];
  /** Only for the members of a swarm. */
  resource_type: readonly MemberRole[];
  presence: readonly PresenceState[];
}

export const everyLayer = {
  ...{ machine_type: machineTypes, resource_type: memberRoles, presence: presenceStates },
} as const satisfies Layers;
const groups = ['machine_type', 'resource_type', 'presence'] as const;

function readLayers(params: URLSearchParams): Layers {
  return {
    machine_type: readChosen(params, 'machine_type') ?? machineTypes,
    resource_type: readChosen(params, 'resource_type') ?? memberRoles,
    presence: readChosen(params, 'presence') ?? presenceStates,
  };
}

/** An empty parameter turns all of its layers off. */
const writeLayers = (layers: Layers) =>
  Object.fromEntries(
    groups.map((group) => [
      group,
      layers[group].length === everyLayer[group].length ? undefined : layers[group].join(','),
    ]),
  );

export interface WallUrl {
  layers: Layers;
  selected: string | null;
  /** Whether the map follows the selected device. */
  following: boolean;
  /** Whether symbols are coloured by how long ago they were heard. */
  byHeard: boolean;
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
    byHeard: params.has('colour'),
    map: params.get('map'),
    list: params.get('list') === '1',
  }),
  write: ({ layers, selected, following, byHeard, map, list }) => ({
    ...writeLayers(layers),
    sel: selected ?? undefined,
    follow: following && selected !== null ? '1' : undefined,
    colour: byHeard ? 'heard' : undefined,
    map: map ?? undefined,
    list: list ? '1' : undefined,
  }),
};

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
export function filtersOf({ audience, layers }: { audience: string; layers: Layers }): DeviceFilters | null {
  const { machine_type, resource_type, presence } = layers;
  const roles = audience.startsWith('swarm:') ? resource_type : memberRoles;
  if (machine_type.length === 0 || roles.length === 0 || presence.length === 0) return null;
  return {
    audience,
    ...(machine_type.length < machineTypes.length && { machine_type: [...machine_type] }),
    ...(roles.length < memberRoles.length && { resource_type: [...roles] }),
    ...(presence.length < presenceStates.length && { presence: [...presence] }),
  };
}
