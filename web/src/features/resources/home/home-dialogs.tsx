import { optional } from '../../../ui/late.tsx';
import type { Home } from './use-home.ts';

const AddDevice = optional(async () => (await import('../form/add-device.tsx')).AddDevice);
const DestroyDialog = optional(async () => (await import('../destroy-dialog.tsx')).DestroyDialog);

/** What stands over the home screen for a moment. */
export function HomeDialogs({ home }: { home: Home }) {
  return (
    <>
      {home.adding && (
        <AddDevice
          draft={home.adding.draft}
          onDraft={home.adding.setDraft}
          onPlace={home.placeDraft}
          onClose={home.stopAdding}
          onAdded={home.added}
        />
      )}
      {home.destroying && (
        <DestroyDialog device={home.destroying} onClose={home.stopDestroying} onDestroy={home.destroyed} />
      )}
    </>
  );
}
