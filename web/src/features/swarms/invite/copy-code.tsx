import { inviteLink } from '../../../data/invite-link.ts';
import { useCodeLabel } from '../../../shared/code-label.tsx';
import { t } from '../../../text/text.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';

/** A button that copies the invite code of a device. It says of the device what the user has chosen for codes. */
export function CopyCode({ user_id, device: { id, name } }: { user_id: string; device: { id: string; name: string } }) {
  const toasts = useToasts();
  const label = useCodeLabel().labelOf(name);
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id: id, label });
  const selectLink = () => toasts.show({ title: t.shell.kit.not_copied, text: link, tone: 'bad' });
  return <CopyButton text={link} label={t.invite_code.copy} onError={selectLink} />;
}
