import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';
import { ConfirmPassword } from '../../shared/account/confirm-password.tsx';
import { useCreateLink } from './users.api.ts';

/** Makes a link by which the user chooses a new password, after the operator has entered the own one. */
export function PasswordLinkDialog({ name, onClose }: { name: string; onClose(): void }) {
  const create = useCreateLink(name);
  const title = t.operator.link.title(name);
  if (!create.data) {
    return (
      <ConfirmPassword
        title={title}
        description={t.operator.link.confirm_text}
        submit={t.operator.link.submit}
        busy={create.isPending}
        error={create.error}
        onConfirm={(password) => create.mutate(password)}
        onClose={onClose}
      />
    );
  }
  const { url, expires_at } = create.data;
  return (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>{t.shell.kit.close}</Button>}>
      <p>
        <Rich text={t.operator.link.text} until={<Time at={expires_at} form="date_time" />} />
      </p>
      <CopyField label={t.operator.link.label} text={url} />
    </Dialog>
  );
}
