import { CollectTyped } from '../../../ui/keys-provider.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { useHomeDialogs, type ShownDialog } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useSelectedDevice } from './use-selected-device.ts';

const AddDevice = lazyPart(async () => (await import('../form/add-device.tsx')).AddDevice, CollectTyped);
const DestroyDialog = lazyPart(async () => (await import('../destroy-dialog.tsx')).DestroyDialog, CollectTyped);
const ExportList = lazyPart(async () => (await import('../bulk/device-selection-menu.tsx')).ExportList);

/** The open dialog of the home page. */
export function HomeDialog({ shown }: { shown: ShownDialog }) {
  const { close } = useHomeDialogs();
  const { total } = useHomeList().counts;
  const { lookAt } = useHomeMap();
  const { placeDraft } = useHomePlacing();
  const selected = useSelectedDevice();
  if (shown.kind === 'add') {
    return (
      <AddDevice
        fill={shown.fill}
        onPlace={placeDraft}
        onClose={close}
        onAdded={(device) => {
          close();
          selected.select(device.id);
          lookAt(device);
        }}
      />
    );
  }
  if (shown.kind === 'export') {
    const { filters, bbox } = shown;
    return total === undefined ? null : <ExportList {...{ filters, bbox }} count={total} onClose={close} />;
  }
  return (
    <DestroyDialog
      device={shown.device}
      onClose={close}
      onDestroy={() => {
        close();
        selected.close();
      }}
    />
  );
}
