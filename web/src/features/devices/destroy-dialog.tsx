import { useQuery } from '@tanstack/react-query';
import { useActionRequests } from '../../data/actions/actions.ts';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { deviceSwarmsQuery } from './device.api.ts';

interface DestroyDialogProps {
  device: { id: string; name: string };
  onClose(): void;
  /** Called when the user has confirmed: the deletion is pending. */
  onDestroy(): void;
}

/** Asks before a device is deleted, and lists the swarms that it leaves. */
export function DestroyDialog({ device, onClose, onDestroy }: DestroyDialogProps) {
  const { start } = useActionRequests();
  const swarms = useQuery(deviceSwarmsQuery(device.id));
  const text = t.device.delete;

  const confirm = () => {
    void start({ kind: 'delete', about: {}, items: [{ id: device.id, name: device.name }] });
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={text.title} name={<Bdi>{device.name}</Bdi>} />}
      description={text.text}
      confirm={text.confirm}
      icon="trash"
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="stack" aria-live="polite">
        {swarms.isPending && text.looking}
        {swarms.isError && text.unknown}
        {swarms.data?.length === 0 && text.no_swarms}
        {swarms.data && swarms.data.length > 0 && (
          <>
            {text.leaves(swarms.data.length)}
            <ul className="stack gap-1 strong dialog-list">
              {swarms.data.map((swarm) => (
                <li key={swarm.id}>
                  <Bdi>{swarm.name}</Bdi>
                </li>
              ))}
            </ul>
            {text.returns}
          </>
        )}
      </div>
    </ConfirmDialog>
  );
}
