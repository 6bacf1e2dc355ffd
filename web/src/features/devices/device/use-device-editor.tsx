import { deviceMerge, valuesOf, type DeviceValues, type Draft } from '../../../data/forms/device-fields.ts';
import type { Choices } from '../../../data/forms/merge-fields.ts';
import { useMergedForm, type MergedForm, type MergedFormState } from '../../../data/forms/merged-form.ts';
import { deviceOutbox } from '../../../data/outbox/device-outbox.ts';
import {
  checkDraft,
  draftChanges,
  draftValues,
  partsOf,
  problemErrors,
  rebase,
  remainingErrors,
  toDraft,
} from '../form/device-form.tsx';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useSaveDevice } from '../device-writes.api.ts';
import type { DeviceRecord } from '../device.api.ts';
import { useShownDevice } from './use-shown-device.ts';

/** While there is a conflict, the base and the ETag of the form stay older than the version that it has seen. */
type Form = MergedForm<DeviceRecord, DeviceValues, Draft>;

const formOf = (read: DeviceRecord): Form => {
  const base = valuesOf(read.resource);
  return { seen: read, base, etag: read.etag, draft: toDraft(base), contested: [] };
};

/** Updates the form to a newer version of the device. */
function follow(form: Form, read: DeviceRecord): Form {
  const theirs = valuesOf(read.resource);
  const { base, draft, contested } = rebase({ base: form.base, draft: form.draft, theirs });
  return { seen: read, base, etag: contested.length > 0 ? form.etag : read.etag, draft, contested };
}

/** The form of a device: what is typed, saving it, and what both sides have changed. `read` is the latest response of the server. */
export function useDeviceForm(read: DeviceRecord) {
  const save = useSaveDevice(read.resource.id);
  const form = useMergedForm({
    read,
    save,
    formOf,
    follow,
    changesOf: draftChanges,
    valuesOf: draftValues,
    check: checkDraft,
    errorsOf: (error) => problemErrors(error).fields,
  });
  return { draft: draftOf(form), saving: savingOf(form, save.error), conflict: conflictOf(form) };
}

type DeviceForm = MergedFormState<DeviceRecord, DeviceValues, Draft, Partial<Record<keyof Draft, string>>>;

/** The inputs of the form. */
const draftOf = ({ form, setForm, errors, setErrors, changed, undo }: DeviceForm) => ({
  base: form.base,
  draft: form.draft,
  contested: form.contested,
  changed,
  errors,
  change(draft: Draft) {
    // The form may have followed a newer version that is not rendered yet.
    const edits = Object.entries(draft).filter(([part, text]) => text !== form.draft[part as keyof Draft]);
    setForm((now) => ({ ...now, draft: { ...now.draft, ...Object.fromEntries(edits) } }));
    setErrors(remainingErrors(errors, draft));
  },
  undo,
});

const savingOf = ({ save, check, saving, outcome, unsent }: DeviceForm, error: Error | null) => ({
  save,
  check,
  isSaving: saving,
  outcome,
  isUnsent: unsent,
  /** Why the last save failed, unless the fields show it. */
  error: problemErrors(error).isOther && error,
});

/** What both sides have changed: a question to the user after a save. */
const conflictOf = ({ form, setForm, conflict, setConflict, changed, send, saving }: DeviceForm) => ({
  conflict,
  isSaving: saving,
  /** Saves the user's choice for each conflict, with all merged fields. */
  resolve(choices: Choices<DeviceValues>) {
    if (!conflict) return;
    const base = valuesOf(conflict.theirs.resource);
    const { mine, taken } = deviceMerge.resolve({ merge: conflict.merge, theirs: base, choices });
    // Input during the save is not part of the conflict. It stays, and is not saved yet.
    const sinceSent = draftChanges({ base: conflict.merge.merged, draft: form.draft });
    const typed = changed.filter((field) => sinceSent.includes(field) && !taken.includes(field));
    const draft = { ...toDraft(mine), ...partsOf(form.draft, typed) };
    setForm({ seen: conflict.theirs, base, etag: conflict.theirs.etag, draft, contested: [] });
    // An edit that waits is not a second question.
    if (taken.length > 0) void deviceOutbox.replaced(conflict.theirs.resource.id, taken);
    if (draftChanges({ base, draft: toDraft(mine) }).length > 0) void send({ base, mine, etag: conflict.theirs.etag });
    else setConflict(null);
  },
  backToEditing: () => setConflict(null),
});

const [DeviceEditorProvider, useDeviceEditor] = shareHook(function useDeviceEditorState() {
  return useDeviceForm(useShownDevice().read);
});
export { DeviceEditorProvider };

export const useDeviceDraft = () => useDeviceEditor().draft;
export const useDeviceConflict = () => useDeviceEditor().conflict;
/** Saving the form alone. The parts of the page use `useDeviceSaving`. */
export const useFormSaving = () => useDeviceEditor().saving;
