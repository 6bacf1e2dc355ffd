import type { MapView, Position } from '../../contract.ts';
import { createDeviceTable } from '../index/device-table.ts';
import type { Box } from './bounds.ts';
import { devicesOfSlots, mapViewOf, type NamedDevice } from './map-view.ts';

/** A device with what the map shows of it. */
export interface ListedDevice extends Omit<NamedDevice, 'ref'> {
  position?: Position | undefined;
}

/**
 * The view of a map as the server would return it, of devices that are in a list: the web app draws what it has stored. Each view
 * reads all of them.
 */
export function mapOfList(options: {
  devices: readonly ListedDevice[];
  hasRoles: boolean;
  bbox: Box;
  zoom: number;
}): MapView {
  const { devices, hasRoles, bbox, zoom } = options;
  const table = createDeviceTable({ hasRoles });
  const slots = devices.map(({ position, machine_type, resource_type = null, presence, changed_at }, index) =>
    table.put({
      ref: index + 1,
      machine_type,
      resource_type,
      presence: presence.state,
      swarms: '',
      longitude: position?.longitude ?? null,
      latitude: position?.latitude ?? null,
      changedAt: Date.parse(changed_at),
      createdAt: 0,
      memberSince: 0,
      heardAt: 0,
    }),
  );
  const listed = devicesOfSlots({ table, slots: Uint32Array.from(slots) });
  const view = mapViewOf({ devices: listed, hasRoles, bbox, zoom, version: '' });
  return view.withNames(
    view.refs.map((ref) => {
      const { position: _position, ...device } = devices[ref - 1]!;
      return { ref, ...device };
    }),
  );
}
