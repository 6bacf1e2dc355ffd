import { useQueryClient } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { deviceSelectionOf, type DeviceSelection } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { SelectionMenu, BulkDialog, type SelectedItems } from '../../../bulk/bulk-dialog.tsx';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { allSelected, isSelected, selectIds } from '../../../ui/lists/selection.ts';
import type { Filters } from '../device-filters.ts';
import { selectedDeviceCommands } from './selected-device-commands.tsx';
import { readSelected, type SelectedDevice } from './read-selected.ts';
import { exportPath, listQuery } from './selected-devices.api.ts';

type Selected = Pick<DeviceSelection, 'all' | 'ids' | 'filters'>;

interface SelectedOptions {
  selection: Selected;
  count: number;
  bbox?: Bbox | null;
  known?(id: string): Device | undefined;
  rows?(): readonly Device[];
}

/** Reads the selected devices for a dialog. `known`: the newest state of a device in the list; `rows`: all of these. */
function useSelected({
  selection,
  count,
  bbox = null,
  known = () => undefined,
  rows = () => [],
}: SelectedOptions): SelectedItems<SelectedDevice> {
  const client = useQueryClient();
  const { all, ids, filters } = selection;
  return {
    selection,
    count,
    loaded: () => rows().filter(({ id }) => isSelected(selection, id)),
    read: (options) => readSelected({ client, selection, bbox, known, ...options }),
    filter:
      all && ids.size <= actionLimits.part
        ? { list: 'devices', query: listQuery({ filters, bbox }), ...(ids.size > 0 && { except: [...ids] }) }
        : undefined,
    file: all && ids.size === 0 ? { count, path: (format) => exportPath({ filters, bbox, format }) } : undefined,
  };
}

interface MenuProps {
  count: number;
  onOpen(command: BulkCommand<SelectedDevice>): void;
}

/** The menu of commands on the selected devices. */
export function DeviceSelectionMenu(props: MenuProps) {
  return <SelectionMenu {...props} scope="device_selection" commands={selectedDeviceCommands} />;
}

interface DialogProps extends Omit<SelectedOptions, 'selection'> {
  command: BulkCommand<SelectedDevice>;
  onClose(): void;
}

/** The dialog of a command on the selected devices. */
export function DeviceSelectionDialog({ command, onClose, ...list }: DialogProps) {
  const selection = deviceSelectionOf({ client: useQueryClient() });
  const selected = useSelected({ selection: selection.get(), ...list });
  const onRun = () => command.isDangerous && selection.clear();
  return <BulkDialog {...selected} command={command} onRun={onRun} onClose={onClose} />;
}

/** Adds one device to a swarm of the user. */
export function AddToSwarm({ id, onClose }: { id: string; onClose(): void }) {
  const selected = useSelected({ selection: { ...selectIds([id]), filters: {} }, count: 1 });
  return <BulkDialog {...selected} command={selectedDeviceCommands.add_to_swarm} onClose={onClose} />;
}

interface ExportListProps {
  filters: Filters;
  bbox: Bbox | null;
  count: number;
  onClose(): void;
}

/** Exports what a list shows. */
export function ExportList({ filters, bbox, count, onClose }: ExportListProps) {
  const selected = useSelected({ selection: { ...allSelected, filters }, count, bbox });
  return <BulkDialog {...selected} command={selectedDeviceCommands.export} onClose={onClose} />;
}
