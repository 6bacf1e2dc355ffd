import { t } from '../text/text.ts';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Bdi, Rich } from '../ui/texts/rich.tsx';

interface LeaveSwarmProps {
  swarm: { name: string; public: boolean };
  device: { name: string };
  onConfirm(): void;
  onClose(): void;
}

/** Asks before the user's device leaves another user's swarm, and says what the user will no longer see. */
export function LeaveSwarm({ swarm, device, onConfirm, onClose }: LeaveSwarmProps) {
  const text = t.members.leave;
  return (
    <ConfirmDialog
      title={<Rich text={text.title} swarm={<Bdi>{swarm.name}</Bdi>} />}
      description={<Rich text={text.text} device={<Bdi>{device.name}</Bdi>} />}
      confirm={text.action}
      onConfirm={() => {
        onConfirm();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{swarm.public ? text.sees_public : text.sees_private}</p>
    </ConfirmDialog>
  );
}
