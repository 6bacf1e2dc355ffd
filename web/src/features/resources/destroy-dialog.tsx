import { useQuery, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '../../api/problem.ts';
import { useUndoableMutation } from '../../api/pending-actions.ts';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import './destroy-dialog.css';
import { destroyDevice } from './resource-writes.api.ts';
import { destroyKey, resourceSwarmsQuery } from './resources.api.ts';

/** Asks before a device is deleted, and lists the swarms that it leaves. */
export function DestroyDialog({
  device,
  onClose,
  onDestroy,
}: {
  device: { id: string; name: string };
  onClose(): void;
  /** Called when the user has confirmed: the deletion is pending. */
  onDestroy(): void;
}) {
  const client = useQueryClient();
  const toasts = useToasts();
  const swarms = useQuery(resourceSwarmsQuery(device.id));
  const text = t.device.delete;

  const destroy = useUndoableMutation({
    key: destroyKey(device.id),
    label: <Rich text={text.pending} name={<Bdi>{device.name}</Bdi>} />,
    doneLabel: <Rich text={text.done} name={<Bdi>{device.name}</Bdi>} />,
    mutationFn: (_none, { keepalive }) => destroyDevice({ client, id: device.id, keepalive }),
    onError: (error) =>
      toasts.show({
        title: text.failed,
        text: `${errorSentence(error)} ${text.failed_text}`,
        tone: 'bad',
      }),
  });
  const confirm = () => {
    destroy.mutate();
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={text.title} name={<Bdi>{device.name}</Bdi>} />}
      description={text.text}
      confirm={text.confirm}
      cancel={text.cancel}
      icon="trash"
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="destroy-swarms" aria-live="polite">
        {swarms.isPending && text.looking}
        {swarms.isError && text.unknown}
        {swarms.data?.length === 0 && text.no_swarms}
        {swarms.data && swarms.data.length > 0 && (
          <>
            {text.leaves(swarms.data.length)}
            <ul className="dialog-list">
              {swarms.data.map((swarm) => (
                <li key={swarm.id}>
                  <Bdi>{swarm.name}</Bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}
