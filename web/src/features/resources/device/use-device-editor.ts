import { useState } from 'react';
import { useResend } from '../../../api/unreachable.ts';
import { deviceMerge, valuesOf, type DeviceField, type DeviceValues, type Draft } from '../../../api/device-fields.ts';
import { isGone, isUnreachable } from '../../../api/problem.ts';
import {
  checkDraft,
  draftChanges,
  draftValues,
  partsOf,
  problemErrors,
  rebase,
  remainingErrors,
  toDraft,
  type DraftErrors,
} from '../form/device-form.tsx';
import { useSaveDevice, type DeviceSaved } from '../resource-writes.api.ts';
import type { ResourceRead } from '../resources.api.ts';

/** The values that the form was filled with, and its current values. */
interface Form {
  /** The latest version that the form has seen. While there is a conflict, its base and ETag stay older. */
  seen: ResourceRead;
  base: DeviceValues;
  etag: string | null;
  draft: Draft;
  /** Fields that both sides have changed. */
  contested: DeviceField[];
}

type ConflictFound = Extract<DeviceSaved, { kind: 'conflict' }>;

const formOf = (read: ResourceRead): Form => {
  const base = valuesOf(read.resource);
  return { seen: read, base, etag: read.etag, draft: toDraft(base), contested: [] };
};

/** Updates the form to a newer version of the device. */
function follow(form: Form, read: ResourceRead): Form {
  const theirs = valuesOf(read.resource);
  const { base, draft, contested } = rebase({ base: form.base, draft: form.draft, theirs });
  return { seen: read, base, etag: contested.length > 0 ? form.etag : read.etag, draft, contested };
}

/**
 * The form of a device that others may change meanwhile. `read` is the latest response of the server. An unsent save is
 * repeated as soon as the server can be reached.
 */
export function useDeviceEditor(read: ResourceRead) {
  const save = useSaveDevice(read.resource.id);
  const [form, setForm] = useState(() => formOf(read));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [conflict, setConflict] = useState<ConflictFound | null>(null);
  if (form.seen !== read && !save.isPending) setForm(follow(form, read));

  const changed = draftChanges(form);
  /** Returns whether it is saved. */
  const send = async (change: { base: DeviceValues; mine: DeviceValues; etag: string | null }) => {
    try {
      const result = await save.mutateAsync(change);
      setErrors({});
      if (result.kind === 'conflict') {
        setConflict(result);
        return false;
      }
      setConflict(null);
      // Input during the save is not saved yet.
      setForm((now) => follow({ ...now, base: change.mine }, result.read));
      return true;
    } catch (error) {
      setConflict(null);
      setErrors(problemErrors(error as Error).fields);
      return false;
    }
  };

  const saveDraft = (): { errors: DraftErrors; isSaved: Promise<boolean> } => {
    const found = checkDraft(form.draft);
    setErrors(found);
    const isValid = Object.keys(found).length === 0;
    const isSaved =
      isValid && changed.length > 0
        ? send({ base: form.base, mine: draftValues(form), etag: form.etag })
        : Promise.resolve(isValid);
    return { errors: found, isSaved };
  };

  const unsent = isUnreachable(save.error) && changed.length > 0;
  useResend(unsent ? save.submittedAt : null, () => void saveDraft());

  return {
    draft: form.draft,
    changed,
    errors,
    conflict,
    /** Fields that both sides have changed. */
    contested: form.contested,
    saving: save.isPending,
    saved: save.isSuccess && save.data.kind === 'saved' && changed.length === 0,
    /** Why the last save failed, unless the fields show it. */
    error: problemErrors(save.error).isOther && save.error,
    /** The last save found no device. */
    isGone: isGone(save.error),
    /** The last save did not reach the server. It is repeated automatically. */
    unsent,
    change(draft: Draft) {
      // The form may have followed a newer version that is not rendered yet.
      const edits = Object.entries(draft).filter(([part, text]) => text !== form.draft[part as keyof Draft]);
      setForm((now) => ({ ...now, draft: { ...now.draft, ...Object.fromEntries(edits) } }));
      setErrors(remainingErrors(errors, draft));
    },
    /** Marks the invalid inputs, without saving. */
    check() {
      const found = checkDraft(form.draft);
      setErrors(found);
      return found;
    },
    undo() {
      save.reset();
      setErrors({});
      setForm(formOf(read));
    },
    /** Without errors, the changes are sent. */
    save: saveDraft,
    /** Saves the user's choice for each conflict, with all merged fields. */
    resolve(choices: Partial<Record<DeviceField, 'mine' | 'theirs'>>) {
      if (!conflict) return;
      const base = valuesOf(conflict.theirs.resource);
      const taken = conflict.merge.conflicts.map(({ field }) => field).filter((field) => choices[field] === 'theirs');
      const mine = deviceMerge.take(conflict.merge.merged, base, taken);
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

export type DeviceEditor = ReturnType<typeof useDeviceEditor>;
