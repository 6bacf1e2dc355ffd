import { CollectTyped } from '../../../ui/keys-provider.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import type { Home } from './use-home.ts';

const AddDevice = lazyPart(async () => (await import('../form/add-device.tsx')).AddDevice, CollectTyped);
const DestroyDialog = lazyPart(async () => (await import('../destroy-dialog.tsx')).DestroyDialog, CollectTyped);

const ExportList = lazyPart(async () => (await import('../bulk/selection-actions.tsx')).ExportList);

/** The dialogs of the home screen. */
export function HomeDialogs({ home }: { home: Home }) {
  return (
    <>
      {home.adding && (
        <AddDevice fill={home.adding} onPlace={home.placeDraft} onClose={home.stopAdding} onAdded={home.added} />
      )}
      {home.exporting && <ExportList {...home.exporting} onClose={home.stopExporting} />}
      {home.destroying && (
        <DestroyDialog device={home.destroying} onClose={home.stopDestroying} onDestroy={home.destroyed} />
      )}
    </>
  );
}
