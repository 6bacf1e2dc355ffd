import { deviceMerge, valuesOf, type DeviceValues, type Draft } from '../../../data/forms/device-fields.ts';
import type { Choices } from '../../../data/forms/merge-fields.ts';
import { useMergedForm, type MergedForm } from '../../../data/forms/merged-form.ts';
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
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useSaveDevice } from '../device-writes.api.ts';
import type { DeviceRecord } from '../device.api.ts';

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
 * The form of a device: what is typed, saving it, and what both sides have changed. `read` is the latest response of the server.
 * A key changes only `draft`: the functions stay the same.
 */
export function useDeviceForm(read: DeviceRecord) {
  const save = useSaveDevice(read.resource.id);
  const { inputs, saving, conflict } = useMergedForm({
    read,
    save,
    formOf,
    follow,
    changesOf: draftChanges,
    valuesOf: draftValues,
    check: checkDraft,
    errorsOf: (error) => problemErrors(error).fields,
  });
  const { form, setForm, errors, setErrors, changed } = inputs;
  const { found, setFound, send } = conflict;
  const { change, undo, resolve, backToEditing, ...saves } = useStableFunctions({
    change(draft: Draft) {
      // The form may have followed a newer version that is not rendered yet.
      const edits = Object.entries(draft).filter(([part, text]) => text !== form.draft[part as keyof Draft]);
      setForm((now) => ({ ...now, draft: { ...now.draft, ...Object.fromEntries(edits) } }));
      setErrors(remainingErrors(errors, draft));
    },
    undo: inputs.undo,
    save: saving.save,
    check: saving.check,
    /** Saves the user's choice for each conflict, with all merged fields. */
    resolve(choices: Choices<DeviceValues>) {
      if (!found) return;
      const base = valuesOf(found.theirs.resource);
      const { mine, taken } = deviceMerge.resolve({ merge: found.merge, theirs: base, choices });
      // Input during the save is not part of the conflict. It stays, and is not saved yet.
      const sinceSent = draftChanges({ base: found.merge.merged, draft: form.draft });
      const typed = changed.filter((field) => sinceSent.includes(field) && !taken.includes(field));
      const draft = { ...toDraft(mine), ...partsOf(form.draft, typed) };
      setForm({ seen: found.theirs, base, etag: found.theirs.etag, draft, contested: [] });
      // An edit that waits is not a second question.
      if (taken.length > 0) void deviceOutbox.replaced(found.theirs.resource.id, taken);
      if (draftChanges({ base, draft: toDraft(mine) }).length > 0) void send({ base, mine, etag: found.theirs.etag });
      else setFound(null);
    },
    backToEditing: () => setFound(null),
  });
  const { base, draft, contested } = form;
  const { isSaving, outcome, isUnsent } = saving;
  return {
    /** The inputs of the form. */
    draft: { base, draft, contested, changed, errors, change, undo },
    saving: {
      ...saves,
      isSaving,
      outcome,
      isUnsent,
      /** Why the last save failed, unless the fields show it. */
      error: problemErrors(save.error).isOther && save.error,
    },
    /** What both sides have changed: a question to the user after a save. */
    conflict: { found, isSaving, resolve, backToEditing },
  };
}

export type DeviceForm = ReturnType<typeof useDeviceForm>;
