import { useState } from 'react';
import { useErrorFocus } from '../../../ui/field.tsx';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import { useSharedEditor } from './use-device-editor.ts';
import { useDevicePlacing } from './use-device-placing.ts';

/** Saving what was typed. Leaving the page is blocked until then. */
export const [DeviceSavingProvider, useDeviceSaving] = shareHook(function useDeviceSavingState() {
  const { changed, saving, saved, unsent, error, save, check } = useSharedEditor();
  const { stop } = useDevicePlacing();
  const [rejected, setRejected] = useState<object>({});
  const form = useErrorFocus(rejected);
  return {
    /** The element of the form. */
    form,
    guard: useLeaveGuard(changed.length > 0),
    isSaving: saving,
    isSaved: saved,
    /** The last save did not reach the server. It is repeated automatically. */
    isUnsent: unsent,
    error,
    /** Returns whether it is saved. */
    save(): Promise<boolean> {
      const { errors, isSaved } = save();
      setRejected(errors);
      stop();
      return isSaved;
    },
    /** Moves the focus to the first invalid field. */
    check: () => setRejected(check()),
  };
});
