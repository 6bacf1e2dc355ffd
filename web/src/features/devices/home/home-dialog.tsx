import { useEffect, useEffectEvent } from 'react';
import { t } from '../../../text/text.ts';
import { useErrorToast } from '../../../ui/toasts/toast.tsx';
import { DeviceSelectionDialog, ExportList } from '../bulk/device-selection-menu.tsx';
import { DestroyDialog } from '../destroy-dialog.tsx';
import { AddDevice } from '../form/add-device.tsx';
import { useHome } from './home-state.ts';
import { type ShownDialog } from './use-home-dialogs.ts';

/**
 * The open dialog of the home page. All of them load at once, because what is typed meanwhile is collected for one part
 * that loads (`CollectTyped`).
 */
export function HomeDialog({ shown }: { shown: ShownDialog }) {
  const { close } = useHome('dialogs');
  const { rows, counts, changes, status, isNonePlaced, filters: listed } = useHome('list');
  const { count } = useHome('selection').checked;
  const { lookAt } = useHome('map');
  const { placeDraft } = useHome('placing');
  const selected = useHome('selected');
  if (shown.kind === 'add') {
    return (
      <AddDevice
        fill={shown.fill}
        onPlace={placeDraft}
        onClose={close}
        onAdded={(device) => {
          close();
          selected.select(device.id);
          lookAt(device, isNonePlaced);
        }}
      />
    );
  }
  if (shown.kind === 'export') {
    const { filters, bbox } = shown;
    const { total } = counts;
    // The list may still be that of all that the user can see.
    const isSwitched = !listed.audience && !status.isChanging;
    if (isSwitched && !status.isOld && total !== undefined)
      return <ExportList filters={filters} bbox={bbox} count={total} onClose={close} />;
    return isSwitched && status.error ? <NotExported error={status.error} onClose={close} /> : null;
  }
  if (shown.kind === 'selected') {
    const { command } = shown;
    return (
      <DeviceSelectionDialog command={command} count={count} known={changes.device} rows={rows.all} onClose={close} />
    );
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

/** How many devices it would have could not be read. The dialog must not open later by itself. */
function NotExported({ error, onClose }: { error: Error; onClose(): void }) {
  const showError = useErrorToast();
  const end = useEffectEvent(() => {
    onClose();
    showError(error, t.devices.error_title);
  });
  useEffect(() => end(), []);
  return null;
}
