/** What waits for the server (data/outbox/outbox.ts): how many, on every page, and their list. It is sent from here. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useActions } from '../data/actions/shown-actions.ts';
import { patchDeviceValues } from '../data/cache/cached-devices.ts';
import { deviceMerge } from '../data/forms/device-fields.ts';
import { outbox, useOutbox } from '../data/outbox/outbox.ts';
import type { OutboxEntry } from '../data/outbox/outbox-entry.ts';
import { useUnreachable } from '../data/unreachable.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { t } from '../text/text.ts';
import { Icon } from '../ui/symbols/icon.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { useToasts } from '../ui/toasts/toast.tsx';
import { OutboxDialog } from './outbox-dialog.tsx';
import './notices.css';
import './outbox.css';
import { useOutboxSender } from './use-outbox-sender.ts';

const ConflictDialog = lazyPart(
  async () => (await import('../features/devices/device/conflict-dialog.tsx')).ConflictDialog,
);

export const readOutbox = outbox.open;

/** The list shows so many of what was sent. */
const mostListed = 200;
/** In ms. The server may be reachable although only writes fail. */
const retryEvery = 15_000;

export function Outbox() {
  const account = useQuery(accountQuery);
  const entries = useOutbox(account.data?.user_id);
  /** What this page has sent since the list was closed, and when. */
  const [sent, setSent] = useState<readonly OutboxEntry[]>([]);
  const { send, conflict, resolve, close } = useOutboxSender({
    user_id: account.data?.user_id,
    onSent: (entry) => setSent((before) => [...before, { ...entry, at: Date.now() }].slice(-mostListed)),
  });
  const [isOpen, setOpen] = useState(false);
  const { announce, hasFailed } = useAnnouncedSent({ isOpen, onShow: () => setOpen(true) });
  useWaitingEdits(entries);
  const waiting = entries.filter(({ failure }) => !failure).length;
  const failed = entries.length - waiting;
  const isReachable = useUnreachable() === null && account.isSuccess;

  const run = useEffectEvent(async () => announce(await send()));
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
              entries={entries}
              sent={sent.filter(({ id }) => !hasFailed(id))}
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

/** A notice of how many waiting changes were sent, once their actions have ended. One that has failed has a notice of its own. */
function useAnnouncedSent({ isOpen, onShow }: { isOpen: boolean; onShow(): void }) {
  const { show } = useToasts();
  const actions = useActions();
  const [sent, setSent] = useState<readonly string[]>([]);
  const announced = useRef(0);
  const actionOf = (id: string) => actions.find((action) => action.id === id);
  const hasFailed = (id: string) => (actionOf(id)?.failed ?? 0) > 0;
  const areEnded = sent.every((id) => (actionOf(id)?.state ?? 'ended') === 'ended');
  const ended = areEnded ? sent.length : 0;
  const announceRest = useEffectEvent(() => {
    const count = sent.slice(announced.current).filter((id) => !hasFailed(id)).length;
    announced.current = sent.length;
    if (count === 0 || isOpen) return;
    show({
      title: t.outbox.sent_count(count),
      icon: 'check',
      about: 'outbox',
      action: { label: t.outbox.show, onAction: onShow },
    });
  });
  useEffect(() => {
    if (ended > 0) announceRest();
  }, [ended]);
  return {
    announce: (ids: readonly string[]) => setSent((before) => [...before, ...ids]),
    /** Whether an action that this page has sent has failed. */
    hasFailed,
  };
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
