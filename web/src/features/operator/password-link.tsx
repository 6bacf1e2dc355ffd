import type { PasswordLink } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../ui/fields/copy-field.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { ShownOnce } from '../../ui/pages/shown-once.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { useCreateLink } from './users.api.ts';

/** Makes a link by which the user chooses a new password. */
export function PasswordLinkDialog({ name, onClose }: { name: string; onClose(): void }) {
  const create = useCreateLink(name);
  const title = t.operator.link.title(name);
  if (!create.data) {
    return (
      <ConfirmDialog
        title={title}
        description={t.operator.link.confirm_text}
        confirm={t.operator.link.submit}
        isDangerous={false}
        busy={create.isPending}
        closingNote={t.operator.link.is_sent}
        outcome={(data) => ({
          title,
          renderShown: (close) => <NewLink name={name} link={data as PasswordLink} onClose={close} />,
        })}
        onConfirm={() => create.mutate()}
        onClose={onClose}
      >
        <ActionError error={create.error} />
      </ConfirmDialog>
    );
  }
  return <NewLink name={name} link={create.data} onClose={onClose} />;
}

function NewLink({ name, link: { url, expires_at }, onClose }: { name: string; link: PasswordLink; onClose(): void }) {
  return (
    <ShownOnce
      title={t.operator.link.title(name)}
      text={<Rich text={t.operator.link.text} until={<Time at={expires_at} form="date_time" />} />}
      texts={t.operator.link}
      onClose={onClose}
    >
      <CopyField label={t.operator.link.label} text={url} />
    </ShownOnce>
  );
}
