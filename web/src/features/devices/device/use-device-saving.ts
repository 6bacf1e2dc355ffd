import { useState } from 'react';
import { deletedRecords } from '../../../data/forms/device-fields.ts';
import { useErrorFocus } from '../../../ui/field.tsx';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useStableFunctions } from '../../../ui/stable-functions.ts';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import { useDeviceDraft, useFormSaving } from './use-device-editor.tsx';
import { useDevicePlacing } from './use-device-placing.ts';

/** Saving what was typed. Leaving the page is blocked until then. */
export const [DeviceSavingProvider, useDeviceSaving] = shareHook(function useDeviceSavingState() {
  const { base, draft, changed } = useDeviceDraft();
  const { isSaving, outcome, isUnsent, error, save, check } = useFormSaving();
  const { stop } = useDevicePlacing();
  const [rejected, setRejected] = useState<object>({});
  const form = useErrorFocus(rejected);
  const [isAsking, setAsking] = useState(false);
  const deletes = deletedRecords(base, draft);
  const saveNow = (): Promise<boolean> => {
    const { errors, isDone } = save();
    setAsking(false);
    setRejected(errors);
    stop();
    return isDone;
  };
  const functions = useStableFunctions({
    /** Asks first if it deletes what was recorded. */
    save() {
      if (deletes.length > 0 && Object.keys(check()).length === 0) setAsking(true);
      else void saveNow();
    },
    /** Returns whether it is saved, or waits. */
    saveNow,
    backToForm: () => setAsking(false),
    /** Moves the focus to the first invalid field. */
    check: () => setRejected(check()),
  });
  return {
    ...functions,
    /** The element of the form. */
    form,
    guard: useLeaveGuard(changed.length > 0),
    /** What was recorded, and a save deletes. */
    deletes,
    /** The user is asked whether to delete it. */
    isAsking,
    isSaving,
    /** What has become of the last save, until the next input. */
    outcome,
    /** The last save did not reach the server. It is repeated automatically. */
    isUnsent,
    error,
  };
});
