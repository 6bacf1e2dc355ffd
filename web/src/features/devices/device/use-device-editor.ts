import { deviceMerge, valuesOf, type DeviceValues, type Draft } from '../../../data/forms/device-fields.ts';
import type { Choices } from '../../../data/forms/merge-fields.ts';
import { useMergedForm, type MergedForm } from '../../../data/forms/merged-form.ts';
import { isGone } from '../../../data/problem.ts';
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

/**
 * The form of a device: what is typed, saving it, and what both sides have changed. `read` is the latest response of the
 * server. Parts of the page read what is about one of these.
 */
export function useDeviceEditor(read: DeviceRecord) {
  const save = useSaveDevice(read.resource.id);
  const { form, setForm, setErrors, setConflict, send, ...editor } = useMergedForm({
    read,
    save,
    formOf,
    follow,
    changesOf: draftChanges,
    valuesOf: draftValues,
    check: checkDraft,
    errorsOf: (error) => problemErrors(error).fields,
  });
  const { conflict, changed, errors } = editor;
  return {
    ...editor,
    draft: form.draft,
    contested: form.contested,
    /** Why the last save failed, unless the fields show it. */
    error: problemErrors(save.error).isOther && save.error,
    /** The last save found no device. */
    isGone: isGone(save.error),
    change(draft: Draft) {
      // The form may have followed a newer version that is not rendered yet.
      const edits = Object.entries(draft).filter(([part, text]) => text !== form.draft[part as keyof Draft]);
      setForm((now) => ({ ...now, draft: { ...now.draft, ...Object.fromEntries(edits) } }));
      setErrors(remainingErrors(errors, draft));
    },
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
      if (draftChanges({ base, draft: toDraft(mine) }).length > 0)
        void send({ base, mine, etag: conflict.theirs.etag });
      else setConflict(null);
    },
    backToEditing: () => setConflict(null),
  };
}

export const [DeviceEditorProvider, useSharedEditor] = shareHook(function useSharedEditorState() {
  return useDeviceEditor(useShownDevice().read);
});

/** The inputs of the form. */
export function useDeviceDraft() {
  const { draft, changed, contested, errors, change, undo } = useSharedEditor();
  return { draft, changed, contested, errors, change, undo };
}

/** What both sides have changed: a question to the user after a save. */
export function useDeviceConflict() {
  const { conflict, saving, resolve, backToEditing } = useSharedEditor();
  return { conflict, isSaving: saving, resolve, backToEditing };
}
