/** The edits of devices in the outbox. device-edits.ts decides what becomes of them. */
import type { DeviceField } from '../forms/device-fields.ts';
import { afterEdits, editsOf, withEdit, withFailed, withSaved } from './device-edits.ts';
import { outbox, useOutbox } from './outbox.ts';
import type { DeviceChange, EditEntry, EditTask, OutboxEntry } from './outbox-entry.ts';

type NewEdit = { user_id: string } & Omit<EditTask, 'type'>;

const entryOf = ({ user_id, ...task }: NewEdit) =>
  outbox.newEntry({ user_id, task: { type: 'edit' as const, ...task } });

export const deviceOutbox = {
  /**
   * Stores an edit, also if the page is closed right after it.
   * @throws OfflineError if the browser has no room for it, or if too many entries wait
   */
  async add(edit: NewEdit) {
    await outbox.open(edit.user_id);
    await outbox.apply(withEdit(outbox.list(), entryOf(edit)));
  },
  /** Stores an edit that this page sends itself, until the answer. The edit is sent also if the browser cannot store it. */
  keepUntil: (answer: Promise<unknown>, edit: NewEdit) =>
    void outbox.keepUntil(entryOf(edit), answer).catch(() => undefined),
  /** A change of a form that may show edits which have not reached the server, as a change of what the server has. */
  afterEdits: (device: string, change: DeviceChange): DeviceChange => afterEdits(outbox.list(), device, change),
  /** The server has newer values of these fields from this user. That is no failure if this browser cannot store it. */
  replaced: (device: string, fields: readonly DeviceField[]) =>
    outbox.apply(withSaved(outbox.list(), device, fields)).catch(() => undefined),
  /** Stores why an entry was not executed. If the browser cannot store what the one behind it takes from it, it keeps that. */
  async fail(entry: OutboxEntry, failure: OutboxEntry['failure']) {
    await outbox.markFailed(entry, failure);
    await outbox.apply(withFailed(outbox.list(), entry.id)).catch(() => undefined);
  },
};

/** The edits of a device that wait or have failed, oldest first. */
export const useDeviceEdits = (user_id: string, device: string): EditEntry[] => editsOf(useOutbox(user_id), device);
