import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ActionKind } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import type { ActionOutbox, StartOptions } from '../data/actions/action-store.ts';
import { hasStarted, useActionRequests } from '../data/actions/actions.ts';
import { deviceMerge, valuesOf, type DeviceValues } from '../data/forms/device-fields.ts';
import type { Choices, ConflictFound } from '../data/forms/merge-fields.ts';
import { deviceOutbox } from '../data/outbox/device-outbox.ts';
import { outbox, useOutbox } from '../data/outbox/outbox.ts';
import type { EditTask, OutboxEntry } from '../data/outbox/outbox-entry.ts';
import { noteSentDevice } from '../data/outbox/waiting-devices.ts';
import { errorParts, isPutOff, isSignedOut, isUnreachable, OfflineError } from '../data/problem.ts';
import { serverTime } from '../data/server-clock.ts';
import { createDevice, saveDevice } from '../features/devices/device-writes.api.ts';
import type { DeviceRecord } from '../features/devices/device.api.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { hasConsentChanged } from './changed-consent.ts';

/**
 * In ms. What lets others see more, or deletes, is not sent if it has waited longer: what the user saw may have changed since.
 */
const longestConsent = dayMs;

/** Why it is not sent any more. */
async function outdatedBy(entry: OutboxEntry): Promise<{ code: string } | undefined> {
  const { task, id } = entry;
  if (task.type !== 'action') return undefined;
  const outdated = tooOld(entry) ?? ((await hasConsentChanged(task.action)) ? { code: 'outbox.changed' } : undefined);
  // The server may have executed it, and its response was lost.
  return outdated && !(await hasStarted(id)) ? outdated : undefined;
}

/** It has waited for too long. */
function tooOld({ task, at }: OutboxEntry): { code: string } | undefined {
  if (task.type !== 'action' || Date.now() - at <= longestConsent) return undefined;
  const { kind, about } = task.action;
  // The invitation is open again.
  if (kind === 'answer') return about.answer === 'accept' ? { code: 'outbox.too_old' } : undefined;
  return lastingKinds.has(kind) ? undefined : { code: 'outbox.outdated' };
}

/** A larger action is not stored. */
const mostItems = 100;
/** They only take back what others see. */
const lastingKinds: ReadonlySet<ActionKind> = new Set(['withdraw', 'remove_member', 'narrow_role'] as const);
const kinds: ReadonlySet<ActionKind> = new Set([
  ...lastingKinds,
  ...(['answer', 'add_member', 'change_role', 'extend_member', 'delete'] as const),
]);
const mayWait = ({ kind, items, filter }: StartOptions) => kinds.has(kind) && items.length <= mostItems && !filter;

/** Sending the same later may succeed. */
const isTemporary = (error: unknown) => isPutOff(error) || isSignedOut(error);

/** Stores the actions of this user that do not reach the server, or have no answer yet. */
const actionOutboxOf = (user_id: string | undefined): ActionOutbox => ({
  async add({ id, options, error }) {
    const isKnown = outbox.has(id);
    const isLater = isKnown ? error === undefined || isTemporary(error) : isUnreachable(error);
    // Otherwise a toast says why it failed.
    if (isKnown && !isLater) await outbox.remove(id);
    if (!isLater || user_id === undefined || !mayWait(options)) return false;
    await outbox.add({ user_id, id, task: { type: 'action', action: options } });
    return true;
  },
  keepUntil(answer, { id, options }, onStored) {
    // It waits already, and is being sent.
    if (outbox.has(id)) return onStored();
    if (user_id === undefined || !mayWait(options)) return undefined;
    const entry = outbox.newEntry({ user_id, id, task: { type: 'action', action: options } });
    return void outbox.keepUntil(entry, answer, onStored).catch(() => undefined);
  },
  remove: outbox.remove,
});

interface FoundConflict {
  entry: OutboxEntry;
  found: ConflictFound<DeviceValues, DeviceRecord>;
}

/**
 * Notes which of those that wait are not sent any more. All before the first of them is sent: each Accept adds a member to the swarm
 * of the others. Throws if they are to be checked again later.
 */
async function checkUnchecked(checked: Set<string>): Promise<void> {
  const find = () => outbox.list().find(({ id, failure }) => !failure && !checked.has(id));
  for (let entry = find(); entry; entry = find()) {
    checked.add(entry.id);
    try {
      const failure = await outdatedBy(entry);
      if (failure) await outbox.markFailed(entry, failure);
    } catch (error) {
      if (isTemporary(error)) throw error;
      await outbox.markFailed(entry, errorParts(error));
    }
  }
}

interface SendEntryOptions extends Pick<ReturnType<typeof useActionRequests>, 'start'> {
  client: QueryClient;
}

/** Returns undefined if it failed for good. Throws if it is to be sent again later. */
async function sendEntry(
  entry: OutboxEntry,
  { client, start }: SendEntryOptions,
): Promise<{ kind: 'saved' } | FoundConflict['found'] | undefined> {
  const { task, id } = entry;
  try {
    if (task.type === 'action') {
      if (await start(task.action, id)) return { kind: 'saved' };
      if (outbox.has(id)) throw new OfflineError('It is stored again');
      return undefined;
    }
    await outbox.markSending(entry);
    if (task.type === 'create') {
      const created = await createDevice({ client, device: task.device, key: id });
      noteSentDevice({ client, waited: id, device: created });
      return { kind: 'saved' };
    }
    const result = await saveDevice({ client, id: task.device.id, change: task.change });
    if (result.kind === 'conflict') await deviceOutbox.fail(entry, 'conflict');
    return result;
  } catch (error) {
    if (isTemporary(error)) throw error;
    await deviceOutbox.fail(entry, errorParts(error));
    return undefined;
  }
}

interface SenderOptions {
  user_id: string | undefined;
  /** The server has it. An action may fail later. */
  onSent(entry: OutboxEntry): void;
}

/** Sends what waits, and takes the actions that do not reach the server. */
export function useOutboxSender({ user_id, onSent }: SenderOptions) {
  const client = useQueryClient();
  const { start, postponeWith } = useActionRequests();
  const entries = useOutbox(user_id);
  const [conflict, setConflict] = useState<FoundConflict | null>(null);
  useEffect(() => {
    const actions = entries.flatMap(({ id, at, task, failure }) =>
      task.type === 'action' && !failure ? [[id, { options: task.action, begun: serverTime(at) }] as const] : [],
    );
    postponeWith(actionOutboxOf(user_id), new Map(actions));
  }, [entries, postponeWith, user_id]);

  /**
   * One after the other, so that they arrive in their order. Only one tab sends. `again`: one that has failed, and the user
   * chooses between its conflicting values. Returns the ids of what it has sent.
   */
  async function send(again?: OutboxEntry): Promise<string[]> {
    const sent: string[] = [];
    const sendAll = async () => {
      // Another tab may have sent some, and this page may not know it yet.
      if (user_id !== undefined) await outbox.read(user_id);
      // A conflict is compared with what the server has, so it stays one until the server answers.
      const isCompared = again?.failure === 'conflict';
      if (again && !isCompared) await outbox.markWaiting(again);
      // The cookie of this browser may belong to another user by now.
      const { user_id: now } = await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      if (again && isCompared) await outbox.markWaiting(again);
      const checked = new Set<string>();
      const next = async () => {
        if (outbox.next()?.user_id === now) await checkUnchecked(checked);
        return outbox.next();
      };
      for (let entry = await next(); entry?.user_id === now; entry = await next()) {
        const result = await sendEntry(entry, { client, start });
        if (result?.kind === 'saved') {
          sent.push(entry.id);
          onSent(entry);
          await outbox.remove(entry.id);
        } else if (result && entry.id === again?.id) setConflict({ entry, found: result });
      }
    };
    const sending = navigator.locks.request('outbox', { ifAvailable: !again }, (lock) => lock && sendAll());
    // It is tried again.
    await sending.catch(() => undefined);
    return sent;
  }

  return {
    send,
    conflict,
    /** Saves the user's choice for each conflict, with all merged fields. */
    async resolve(choices: Choices<DeviceValues>) {
      setConflict(null);
      if (!conflict) return;
      const { entry, found } = conflict;
      const base = valuesOf(found.theirs.resource);
      const { mine } = deviceMerge.resolve({ merge: found.merge, theirs: base, choices });
      const task = entry.task as EditTask;
      const change = { ...task.change, base, mine, etag: found.theirs.etag };
      if (deviceMerge.changed(change).length === 0) return outbox.remove(entry.id);
      await send({ ...entry, task: { ...task, change } });
    },
    close: () => setConflict(null),
  };
}
