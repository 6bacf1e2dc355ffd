import type { ResourceCreate } from '@swarmdeck/bff/contract';
import type { StartOptions } from '../actions/action-store.ts';
import type { DeviceValues } from '../forms/device-fields.ts';
import type { ValuesChange } from '../forms/merged-form.ts';

/** What is sent with a position. */
export interface Placement {
  /** When it was saved, in ms of the local clock. Undefined: it is sent at once. */
  at?: number;
  /** In metres, of a location that the browser has found. */
  accuracy?: number | undefined;
}

export interface DeviceChange extends ValuesChange<DeviceValues> {
  placement?: Placement | undefined;
}

export interface EditTask {
  type: 'edit';
  device: { id: string; name: string };
  change: DeviceChange;
}

/** The id of the entry is its `Idempotency-Key`. */
interface CreateTask {
  type: 'create';
  device: ResourceCreate;
}

export type OutboxTask = EditTask | CreateTask | { type: 'action'; action: StartOptions };

export interface OutboxEntry {
  /** It is also the id of its action or its `Idempotency-Key`, so that sending it twice has no effect. */
  id: string;
  user_id: string;
  /** When the user did it, in ms of the local clock. */
  at: number;
  task: OutboxTask;
  /** Its request may have been sent. */
  isSending?: boolean;
  /** The page where the user did it sends it itself. It waits only if that page ends before the answer. */
  isSentByPage?: true;
  /** Why it was not executed. It is not sent again until the user asks for it (`isFinal`: never). */
  failure?: { code: string; detail?: string } | 'conflict' | undefined;
}

export type EditEntry = OutboxEntry & { task: EditTask };

/** The entries that are stored, in this order, and then the ids of those that are deleted. */
export interface OutboxChanges {
  put: readonly OutboxEntry[];
  remove: readonly string[];
}

/**
 * What fails in the same way whenever it is sent: the device is gone or another user's, or the values are not valid. What has
 * waited for too long, or accepts what has changed since, is done again on its page.
 */
const finalCodes: readonly string[] = [
  'resource.not_found',
  'resource.forbidden',
  'body.invalid',
  'body.too_large',
  'outbox.too_old',
  'outbox.changed',
  'outbox.outdated',
];

/** Whether sending it again is useless. */
export const isFinal = ({ failure }: OutboxEntry): boolean =>
  failure !== undefined && failure !== 'conflict' && finalCodes.includes(failure.code);
