import type { Resource } from '@swarmdeck/bff/contract';
import { late } from '../../../ui/late.tsx';
import type { DeviceEditor } from './use-device-editor.ts';
import type { useLeaveGuard } from './use-leave-guard.ts';

const ConflictDialog = late(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);
const DestroyDialog = late(async () => (await import('../destroy-dialog.tsx')).DestroyDialog);
const LeaveDialog = late(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** What a device's page asks over itself; each loads when it is asked. */
export function DeviceDialogs({
  resource,
  editor,
  guard,
  destroying,
}: {
  resource: Resource;
  editor: DeviceEditor;
  guard: ReturnType<typeof useLeaveGuard>;
  destroying: { onClose(): void; onDestroy(): void } | false;
}) {
  return (
    <>
      {editor.conflict && (
        <ConflictDialog
          found={editor.conflict}
          saving={editor.saving}
          onChoose={editor.resolve}
          onBack={editor.backToEditing}
        />
      )}
      {guard.held && <LeaveDialog fields={editor.changed.length} onStay={guard.stay} onLeave={guard.leave} />}
      {destroying && <DestroyDialog device={resource} {...destroying} />}
    </>
  );
}
