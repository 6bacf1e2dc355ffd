/**
 * A form that stays open while its device changes elsewhere: what was not touched follows quietly, what
 * was touched stays as typed. Null when both sides changed one field: then the form keeps its ground, and
 * saving will ask (device-save.ts).
 */
import type { Draft } from './device-form.ts';
import { draftChanges, draftValues, toDraft } from './device-form.ts';
import type { DeviceValues } from './device-merge.ts';
import { changedFields, sameValue } from './device-merge.ts';

export function rebase(form: { base: DeviceValues; draft: Draft; theirs: DeviceValues }): Draft | null {
  const { base, draft, theirs } = form;
  const mine = draftChanges({ base, draft });
  const values = draftValues({ base, draft });
  const theirChanges = changedFields({ base, mine: theirs });
  if (mine.some((field) => theirChanges.includes(field) && !sameValue(field, values, theirs))) return null;
  const next = toDraft(theirs);
  if (mine.includes('name')) next.name = draft.name;
  if (mine.includes('machine_type')) next.machine_type = draft.machine_type;
  if (mine.includes('description')) next.description = draft.description;
  if (mine.includes('position')) Object.assign(next, { latitude: draft.latitude, longitude: draft.longitude });
  return next;
}
