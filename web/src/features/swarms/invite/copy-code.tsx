import { t } from '../../../text/text.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { inviteLink } from '../../../data/invite-link.ts';

/** A button that copies the invite code of a device. */
export function CopyCode({ user_id, resource_id }: { user_id: string; resource_id: string }) {
  const toasts = useToasts();
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id });
  const selectLink = () => toasts.show({ title: t.shell.kit.not_copied, text: link, tone: 'bad' });
  return <CopyButton text={link} label={t.invite_code.copy} onError={selectLink} />;
}
