/** What waits for the server (data/outbox/outbox.ts): how many, on every page, and their list. It is sent from here. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Action, ActionKind } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../data/actions/actions.ts';
import type { ActionOutbox } from '../data/actions/action-store.ts';
import { patchDeviceValues } from '../data/cache/cached-devices.ts';
import { deviceMerge, valuesOf, type DeviceValues } from '../data/forms/device-fields.ts';
import type { Choices, ConflictFound } from '../data/forms/merge-fields.ts';
import { outbox, useOutbox, type EditTask, type OutboxEntry } from '../data/outbox/outbox.ts';
import { errorParts, isSignedOut, isUnreachable, ProblemError } from '../data/problem.ts';
import { useUnreachable } from '../data/unreachable.ts';
import { labelsOf } from '../shared/actions/action-labels.tsx';
import { accountQuery } from '../shared/account/account.api.ts';
import { createDevice, saveDevice } from '../features/devices/device-writes.api.ts';
import { deviceRecordQuery, type DeviceRecord } from '../features/devices/device.api.ts';
import { joinList, problemSentence, t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { Bdi, Rich } from '../ui/rich.tsx';
import { Time } from '../ui/time.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useFocusRestore } from '../ui/use-focus-after-removal.ts';
import './outbox.css';

const ConflictDialog = lazyPart(
  async () => (await import('../features/devices/device/conflict-dialog.tsx')).ConflictDialog,
);

/** In ms. The server may be reachable although only writes fail. */
const retryEvery = 15_000;
/** A larger action is not stored. */
const mostItems = 100;
const kinds: ReadonlySet<ActionKind> = new Set(['answer', 'withdraw'] as const);

const isTooEarly = (error: unknown) => error instanceof ProblemError && error.problem.status === 429;
/** Sending the same later may succeed. */
const isTemporary = (error: unknown) => isUnreachable(error) || isSignedOut(error) || isTooEarly(error);

export function Outbox() {
  const account = useQuery(accountQuery);
  const entries = useOutbox(account.data?.user_id);
  /** What this page has sent since the list was closed, and when. */
  const [sent, setSent] = useState<readonly OutboxEntry[]>([]);
  const { send, conflict, resolve, close } = useSender({
    user_id: account.data?.user_id,
    onSent: (entry) => setSent((before) => [...before, { ...entry, at: Date.now() }]),
  });
  const [isOpen, setOpen] = useState(false);
  const { show } = useToasts();
  useWaitingEdits(entries);
  const waiting = entries.filter(({ failure }) => !failure).length;
  const failed = entries.length - waiting;
  const isReachable = useUnreachable() === null && account.isSuccess;

  const run = useEffectEvent(async () => {
    const count = await send();
    if (count > 0 && !isOpen) {
      const action = { label: t.outbox.show, onAction: () => setOpen(true) };
      show({ title: t.outbox.sent_count(count), icon: 'check', action });
    }
  });
  const isDue = isReachable && waiting > 0;
  useEffect(() => {
    if (!isDue) return undefined;
    void run();
    const timer = setInterval(() => void run(), retryEvery);
    return () => clearInterval(timer);
  }, [isDue]);

  return (
    <>
      {entries.length > 0 && (
        <button type="button" className="line outbox-count floating" onClick={() => setOpen(true)}>
          <Icon name={failed > 0 ? 'warning' : 'clock'} size={16} />
          {waiting > 0 && t.outbox.waiting(waiting)}
          {waiting > 0 && failed > 0 && ' · '}
          {failed > 0 && t.outbox.failed(failed)}
        </button>
      )}
      {/* The notices beside it are hidden on a wall, and are read aloud when they change. */}
      {createPortal(
        <>
          {isOpen && (
            <OutboxDialog
              {...{ entries, sent }}
              onRetry={(entry) => void send(entry)}
              onClose={() => {
                setOpen(false);
                setSent([]);
              }}
            />
          )}
          {conflict && (
            <ConflictDialog
              found={conflict.found}
              saving={false}
              onChoose={(choices) => void resolve(choices)}
              onBack={close}
            />
          )}
        </>,
        document.body,
      )}
    </>
  );
}

/**
 * Shows the values of edits that wait, also after the page was loaded again: otherwise the user would edit older ones, and replace
 * them without knowing.
 */
function useWaitingEdits(entries: readonly OutboxEntry[]) {
  const client = useQueryClient();
  useEffect(() => {
    for (const { task, failure } of entries)
      if (task.type === 'edit' && !failure) patchDeviceValues(client, task.device.id, deviceMerge.mineOf(task.change));
  }, [client, entries]);
}

interface FoundConflict {
  entry: OutboxEntry;
  found: ConflictFound<DeviceValues, DeviceRecord>;
}

interface SenderOptions {
  user_id: string | undefined;
  onSent(entry: OutboxEntry): void;
}

function useSender({ user_id, onSent }: SenderOptions) {
  const client = useQueryClient();
  const { start, postponeWith } = useActionRequests();
  const entries = useOutbox(user_id);
  const [conflict, setConflict] = useState<FoundConflict | null>(null);
  useEffect(() => {
    const actionOutbox: ActionOutbox = {
      async add({ id, options, error }) {
        const isKnown = outbox.has(id);
        const mayWait = isKnown ? error === undefined || isTemporary(error) : isUnreachable(error);
        // Otherwise a toast says why it failed.
        if (isKnown && !mayWait) await outbox.remove(id);
        const { kind, items } = options;
        if (!mayWait || user_id === undefined || !kinds.has(kind) || items.length > mostItems) return false;
        await outbox.add({ user_id, id, task: { type: 'action', action: options } });
        return true;
      },
      remove: outbox.remove,
    };
    const actions = entries.flatMap(({ id, task }) => (task.type === 'action' ? [[id, task.action] as const] : []));
    postponeWith(actionOutbox, new Map(actions));
  }, [entries, postponeWith, user_id]);

  /** Returns undefined if it failed for good. Throws if it is to be sent again later. */
  async function sendEntry(entry: OutboxEntry): Promise<{ kind: 'saved' } | FoundConflict['found'] | undefined> {
    const { task, id } = entry;
    if (task.type === 'action') {
      if (await start(task.action, id)) return { kind: 'saved' };
      if (outbox.has(id)) throw new Error('It is stored again');
      return undefined;
    }
    try {
      await outbox.update(entry, { isSending: true });
      if (task.type === 'create') {
        await createDevice({ client, device: task.device, key: id });
        return { kind: 'saved' };
      }
      const result = await saveDevice({ client, id: task.device.id, change: task.change });
      if (result.kind === 'conflict') await outbox.update(entry, { failure: 'conflict' });
      return result;
    } catch (error) {
      if (isTemporary(error)) throw error;
      await outbox.update(entry, { failure: errorParts(error) });
      return undefined;
    }
  }

  /**
   * One after the other, so that they arrive in their order. Only one tab sends. `again`: one that has failed, and the user
   * chooses between its conflicting values. Returns how many it has sent.
   */
  async function send(again?: OutboxEntry): Promise<number> {
    let count = 0;
    const sendAll = async () => {
      // Another tab may have sent some, and this page may not know it yet.
      if (user_id !== undefined) await outbox.read(user_id);
      if (again) await outbox.update(again, {});
      // The cookie of this browser may belong to another user by now.
      const { user_id: now } = await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      for (let entry = outbox.next(); entry?.user_id === now; entry = outbox.next()) {
        const result = await sendEntry(entry);
        if (result?.kind === 'saved') {
          count += 1;
          onSent(entry);
          await outbox.remove(entry.id);
        } else if (result && entry.id === again?.id) setConflict({ entry, found: result });
      }
    };
    const sending = navigator.locks.request('outbox', { ifAvailable: !again }, (lock) => lock && sendAll());
    // It is tried again.
    await sending.catch(() => undefined);
    return count;
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
      const change = { base, mine, etag: found.theirs.etag };
      if (deviceMerge.changed(change).length === 0) return outbox.remove(entry.id);
      await send({ ...entry, task: { ...(entry.task as EditTask), change } });
    },
    close: () => setConflict(null),
  };
}

interface OutboxDialogProps {
  entries: readonly OutboxEntry[];
  sent: readonly OutboxEntry[];
  onRetry(entry: OutboxEntry): void;
  onClose(): void;
}

function OutboxDialog({ entries, sent, onRetry, onClose }: OutboxDialogProps) {
  const client = useQueryClient();
  const { undo } = useActionRequests();
  const list = useRef<HTMLUListElement>(null);
  const focusRestore = useFocusRestore(() => (list.current ?? document.querySelector('main'))?.focus());
  const discard = ({ id, task }: OutboxEntry) => {
    if (task.type === 'action') return void undo(id);
    if (task.type === 'create') return void outbox.remove(id);
    patchDeviceValues(client, task.device.id, task.change.base);
    void client.invalidateQueries({ queryKey: deviceRecordQuery(task.device.id).queryKey });
    return void outbox.remove(id);
  };
  return (
    <Dialog title={t.outbox.title} description={t.outbox.text} onClose={onClose}>
      {entries.length + sent.length === 0 && <Empty level={3} icon="check" title={t.outbox.none} />}
      <ul ref={list} tabIndex={-1} className="stack gap-3 outbox-list" {...focusRestore}>
        {sent.map((entry) => (
          <Line key={entry.id} entry={entry} state={t.outbox.sent} icon="check" />
        ))}
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} {...stateOf(entry)}>
            {entry.failure && (
              <Button size="row" sends onClick={() => onRetry(entry)}>
                {entry.failure === 'conflict' ? t.outbox.compare : t.shell.kit.retry}
                <Of task={entry.task} />
              </Button>
            )}
            <Button size="row" acts onClick={() => discard(entry)}>
              {t.outbox.discard}
              <Of task={entry.task} />
            </Button>
          </Line>
        ))}
      </ul>
    </Dialog>
  );
}

function stateOf({ failure }: OutboxEntry): { state: string; icon: IconName } {
  if (!failure) return { state: t.outbox.not_sent_yet, icon: 'clock' };
  return { state: failure === 'conflict' ? t.outbox.conflict : problemSentence(failure), icon: 'warning' };
}

function Line(props: { entry: OutboxEntry; state: string; icon: IconName; children?: ReactNode }) {
  const { entry, state, icon, children } = props;
  return (
    <li className="line gap-3 wraps" data-state={icon}>
      <Icon name={icon} size={20} />
      <div className="fill outbox-words">
        <p className="strong">
          <What task={entry.task} />
        </p>
        <p className="quiet">
          {state} · <Time at={new Date(entry.at).toISOString()} />
        </p>
      </div>
      <div className="line to-end">{children}</div>
    </li>
  );
}

/** For screen readers: which change a button is for. */
function Of({ task }: { task: OutboxEntry['task'] }) {
  return (
    <span className="visually-hidden">
      <What task={task} />
    </span>
  );
}

function What({ task }: { task: OutboxEntry['task'] }) {
  if (task.type === 'action') {
    const { items } = task.action;
    const action = { ...task.action, total: items.length, failed: 0 } as unknown as Action;
    return labelsOf(action).label(action);
  }
  if (task.type === 'create') return <Rich text={t.outbox.create} name={<Bdi>{task.device.name}</Bdi>} />;
  const fields = deviceMerge.changed(task.change).map((field) => t.device.conflict.fields[field]);
  return <Rich text={t.outbox.edit(joinList(fields))} name={<Bdi>{task.device.name}</Bdi>} />;
}
