import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../data/actions/actions.ts';
import { deviceMerge } from '../data/forms/device-fields.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { isFinal, type OutboxEntry } from '../data/outbox/outbox-entry.ts';
import { serverTime } from '../data/server-clock.ts';
import { CopyValues, UnsentValues } from '../features/devices/device/unsent-values.tsx';
import { discardEdit } from '../features/devices/device-writes.api.ts';
import { labelsOf } from '../shared/actions/action-labels.tsx';
import { joinList } from '../text/formats.ts';
import { problemSentence, t } from '../text/text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Empty } from '../ui/pages/empty.tsx';
import { Icon, type IconName } from '../ui/symbols/icon.tsx';
import { Offline } from '../ui/browser/offline.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { Time } from '../ui/texts/time.tsx';
import { useFocusRestore } from '../ui/browser/use-focus-restore.ts';
import './outbox.css';

interface OutboxDialogProps {
  entries: readonly OutboxEntry[];
  sent: readonly OutboxEntry[];
  onRetry(entry: OutboxEntry): void;
  onClose(): void;
}

/** The list of what waits, and of what this page has sent. */
export function OutboxDialog({ entries, sent, onRetry, onClose }: OutboxDialogProps) {
  const client = useQueryClient();
  const { undo } = useActionRequests();
  const list = useRef<HTMLUListElement>(null);
  const focusRestore = useFocusRestore(() => (list.current ?? document.querySelector('main'))?.focus());
  const [askedId, setAsked] = useState<string | null>(null);
  // It may be sent, or discarded in another tab, while the question is open.
  const asked = entries.find(({ id }) => id === askedId);
  const discard = (entry: OutboxEntry) => {
    const { id, task } = entry;
    setAsked(null);
    if (task.type === 'action' && !entry.failure) return void undo(id);
    if (task.type !== 'edit') return void outbox.remove(id);
    return void discardEdit(client, { ...entry, task });
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
            {entry.failure && isFinal(entry) && entry.task.type === 'edit' && (
              <CopyValues values={deviceMerge.mineOf(entry.task.change)} />
            )}
            {entry.failure && !isFinal(entry) && (
              <Button size="row" sends onClick={() => onRetry(entry)}>
                {entry.failure === 'conflict' ? t.outbox.compare : t.shell.kit.retry}
                <Of task={entry.task} />
              </Button>
            )}
            {/* What was answered is answered again by a tap. What was typed would be lost. */}
            <Button
              size="row"
              acts
              onClick={() => (entry.task.type === 'action' ? discard(entry) : setAsked(entry.id))}
            >
              {t.outbox.discard}
              <Of task={entry.task} />
            </Button>
          </Line>
        ))}
      </ul>
      {asked && (
        // It is only in this browser.
        <Offline value={null}>
          <ConfirmDialog
            title={t.outbox.discard_title}
            description={
              <>
                <What task={asked.task} />. {t.outbox.discard_text}
              </>
            }
            confirm={t.outbox.discard}
            onConfirm={() => discard(asked)}
            onClose={() => setAsked(null)}
          />
        </Offline>
      )}
    </Dialog>
  );
}

function failureText(failure: NonNullable<OutboxEntry['failure']>): string {
  if (failure === 'conflict') return t.outbox.conflict;
  // Only edits of own devices wait.
  const isGone = failure.code === 'resource.not_found' || failure.code === 'resource.forbidden';
  return isGone ? t.device.page.deleted_or_taken : problemSentence(failure);
}

function stateOf({ failure }: OutboxEntry): { state: string; icon: IconName } {
  if (!failure) return { state: t.outbox.not_sent_yet, icon: 'clock' };
  return { state: failureText(failure), icon: 'warning' };
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
        {entry.task.type === 'edit' && isFinal(entry) && (
          <UnsentValues values={deviceMerge.mineOf(entry.task.change)} />
        )}
        <p className="quiet">
          {state} · <Time at={new Date(serverTime(entry.at)).toISOString()} />
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
