import { useState } from 'react';
import { useErrorFocus } from '../../../ui/fields/field.tsx';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useLeaveGuard } from '../../../ui/pages/use-leave-guard.ts';
import type { DeviceForm } from './use-device-editor.tsx';
import type { DevicePlacing } from './use-device-placing.ts';
import type { RecordsQuestion } from './use-records-question.ts';

interface DeviceSavingOptions {
  form: DeviceForm;
  placing: Pick<DevicePlacing, 'stop'>;
  question: Pick<RecordsQuestion, 'deletes' | 'setAsking'>;
}

/** Saving what was typed. Leaving the page is blocked until then. */
export function useDeviceSaving({ form: typed, placing: { stop }, question }: DeviceSavingOptions) {
  const { changed } = typed.draft;
  const { isSaving, outcome, isUnsent, error, save, check } = typed.saving;
  const [rejected, setRejected] = useState<object>({});
  const [isDiscarding, setDiscarding] = useState(false);
  const form = useErrorFocus(rejected);
  const { deletes, setAsking } = question;
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
    /** Moves the focus to the first invalid field. */
    check: () => setRejected(check()),
  });
  return {
    ...functions,
    /** The element of the form. */
    form,
    guard: useLeaveGuard(changed.length > 0),
    /** The user is asked whether to take back what was typed. */
    isDiscarding: isDiscarding && changed.length > 0,
    setDiscarding,
    isSaving,
    /** What has become of the last save, until the next input. */
    outcome,
    /** The last save did not reach the server. It is repeated automatically. */
    isUnsent,
    error,
  };
}

export type DeviceSaving = ReturnType<typeof useDeviceSaving>;
