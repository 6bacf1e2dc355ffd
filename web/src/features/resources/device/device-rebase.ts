/**
 * A form that stays open while its device changes elsewhere: what was not touched follows quietly, what was
 * touched stays as typed. A field that both sides changed keeps its ground: its base stays what it was, so that
 * saving finds the conflict and asks (device-save.ts).
 */
import { draftChanges, draftValues, toDraft } from '../form/device-form.ts';
import { changedFields, sameValue, take } from '../form/device-merge.ts';
import type { DeviceField, DeviceValues } from '../form/device-merge.ts';
import type { Draft } from '../form/draft.ts';

interface Rebased {
  base: DeviceValues;
  draft: Draft;
  contested: DeviceField[];
}

export function rebase(form: { base: DeviceValues; draft: Draft; theirs: DeviceValues }): Rebased {
  const { draft, theirs } = form;
  const mine = draftChanges(form);
  const values = draftValues(form);
  const byThem = changedFields({ base: form.base, mine: theirs });
  const contested = mine.filter((field) => byThem.includes(field) && !sameValue(field, values, theirs));
  const base = { ...theirs };
  for (const field of contested) take({ into: base, from: form.base, field });

  const next = toDraft(theirs);
  if (mine.includes('name')) next.name = draft.name;
  if (mine.includes('machine_type')) next.machine_type = draft.machine_type;
  if (mine.includes('description')) next.description = draft.description;
  if (mine.includes('position')) Object.assign(next, { latitude: draft.latitude, longitude: draft.longitude });
  return { base, draft: next, contested };
}
