/**
 * How the edits of a device that have not reached the server become one, as pure functions. `entries` are those of the outbox
 * (device-outbox.ts), oldest first. All edits that wait are one. A newer edit takes its fields from those that have failed: the
 * user is asked about each field once.
 */
import { deviceMerge, type DeviceField, type DeviceValues } from '../forms/device-fields.ts';
import type { DeviceChange, EditEntry, OutboxChanges, OutboxEntry } from './outbox-entry.ts';

const nothing: OutboxChanges = { put: [], remove: [] };

/** The edits of a device that wait, are being sent, or have failed. */
export const editsOf = (entries: readonly OutboxEntry[], device: string): EditEntry[] =>
  entries.filter((entry): entry is EditEntry => entry.task.type === 'edit' && entry.task.device.id === device);

/** The one that other edits join: it is not being sent, and has not failed. */
const waitingOf = (edits: readonly EditEntry[]) => edits.find(({ isSending, failure }) => !isSending && !failure);

/** Those that change one of these fields. */
const changing = (edits: readonly EditEntry[], fields: readonly DeviceField[]) =>
  edits.filter(({ task }) => deviceMerge.changed(task.change).some((field) => fields.includes(field)));

/** The fields of a later change whose form showed the value of an earlier one. */
const shownOf = (earlier: DeviceChange, later: DeviceChange) =>
  deviceMerge.changed(later).filter((field) => deviceMerge.isEqual(field, later.base, earlier.mine));

/** The base of a later change: where its form showed the value of an earlier one, the server's before both. */
const baseAfter = (earlier: DeviceChange, later: DeviceChange): DeviceValues =>
  deviceMerge.take(later.base, earlier.base, shownOf(earlier, later));

/** A change of a form that showed these edits, as a change of what the server had. An ETag that is too old is safe. */
function ofServer(edits: readonly EditEntry[], change: DeviceChange): DeviceChange {
  let { base, etag } = change;
  for (const { change: earlier } of edits.map(({ task }) => task)) {
    const later = { ...change, base };
    if (shownOf(earlier, later).length === 0) continue;
    base = baseAfter(earlier, later);
    etag = earlier.etag;
  }
  return { ...change, base, etag };
}

/** Another tab may not have read the earlier change. */
function joined(earlier: DeviceChange, later: DeviceChange) {
  const fields = deviceMerge.changed(later);
  return {
    base: deviceMerge.take(earlier.base, baseAfter(earlier, later), fields),
    mine: deviceMerge.take(earlier.mine, later.mine, fields),
    placement: fields.includes('position') ? later.placement : earlier.placement,
  };
}

/** The edits without these fields, because something newer has them. */
function without(edits: readonly EditEntry[], fields: readonly DeviceField[]): OutboxChanges {
  const left = changing(edits, fields).map((entry) => {
    const { base, mine } = entry.task.change;
    const change = { ...entry.task.change, mine: deviceMerge.take(mine, base, fields) };
    return { ...entry, task: { ...entry.task, change } };
  });
  const isEmpty = ({ task }: EditEntry) => deviceMerge.changed(task.change).length === 0;
  return {
    put: left.filter((entry) => !isEmpty(entry)),
    remove: left.filter(isEmpty).map(({ id }) => id),
  };
}

/** A new edit joins the one that waits, and takes its fields from those that have failed. */
export function withEdit(entries: readonly OutboxEntry[], added: EditEntry): OutboxChanges {
  const edits = editsOf(entries, added.task.device.id);
  const fields = deviceMerge.changed(added.task.change);
  const failed = changing(edits, fields).filter(({ failure }) => failure);
  const later = ofServer(failed, added.task.change);
  const waiting = waitingOf(edits);
  // The server refuses an ETag that is too old, and the values are merged.
  const { etag } = failed.length === 0 && waiting ? waiting.task.change : later;
  const change = waiting ? { ...joined(waiting.task.change, later), etag } : later;
  const isLeft = deviceMerge.changed(change).length > 0;
  const taken = without(failed, fields);
  return {
    put: [...(isLeft ? [{ ...added, ...waiting, task: { ...added.task, change } }] : []), ...taken.put],
    remove: [...(isLeft || !waiting ? [] : [waiting.id]), ...taken.remove],
  };
}

/** An entry has failed: if it is an edit, the one that waits behind it takes its fields. */
export function withFailed(entries: readonly OutboxEntry[], id: string): OutboxChanges {
  const task = entries.find((entry) => entry.id === id)?.task;
  const waiting = task?.type === 'edit' ? waitingOf(editsOf(entries, task.device.id)) : undefined;
  return waiting ? withEdit(entries, waiting) : nothing;
}

/** The server has newer values of these fields. */
export const withSaved = (
  entries: readonly OutboxEntry[],
  device: string,
  fields: readonly DeviceField[],
): OutboxChanges => without(editsOf(entries, device), fields);

/** A change of a form that may show edits which have not reached the server, as a change of what the server has. */
export function afterEdits(entries: readonly OutboxEntry[], device: string, change: DeviceChange): DeviceChange {
  const shown = changing(editsOf(entries, device), deviceMerge.changed(change));
  // What is being sent may be on the server already.
  return ofServer(
    shown.filter(({ isSending }) => !isSending),
    change,
  );
}
