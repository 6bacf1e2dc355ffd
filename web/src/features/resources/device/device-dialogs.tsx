import type { Resource } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { LeaveDialog } from '../../../ui/confirm-dialog.tsx';
import type { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import type { DeviceEditor } from './use-device-editor.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DestroyDialog } from '../destroy-dialog.tsx';

/** The dialogs of a device's page. */
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
      {guard.isAsking && (
        <LeaveDialog
          words={t.leaving}
          text={t.leaving.text(editor.changed.length)}
          onStay={guard.stay}
          onLeave={guard.leave}
        />
      )}
      {destroying && <DestroyDialog device={resource} {...destroying} />}
    </>
  );
}
