import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { useDeleteAccount } from './account-page.api.ts';
import { accountQuery } from '../../shared/account/account.api.ts';
import './account-boxes.css';

export function DeleteAccount({ id }: { id: string }) {
  const account = useQuery(accountQuery).data;
  const [asking, setAsking] = useState(false);
  return (
    <Box id={id} title={t.account.remove.title}>
      <div className="box-row delete-row">
        <p className="quiet">{t.account.remove.text}</p>
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          {t.account.remove.open}
        </Button>
      </div>
      {asking && account && <DeleteDialog account={account} onClose={() => setAsking(false)} />}
    </Box>
  );
}

function DeleteDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const remove = useDeleteAccount();
  const [name, setName] = useState('');
  const [errors, setErrors] = useState<{ name?: string | undefined }>({});

  const submit = () => {
    const isOther = name !== account.user_id;
    setErrors({ name: isOther ? t.account.remove.name_differs : undefined });
    if (!isOther) remove.mutate({ user_id: name });
  };

  return (
    <FormDialog
      title={t.account.remove.confirm_title}
      description={t.account.remove.confirm_text}
      submit={t.account.remove.submit}
      look="danger-primary"
      busy={remove.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="stack gap-1 delete-list">
        {account.resources > 0 && <li>{t.account.remove.devices(account.resources)}</li>}
        {account.swarms_owned > 0 && <li>{t.account.remove.swarms(account.swarms_owned)}</li>}
        <li>{t.account.remove.roles}</li>
        <li>{t.account.remove.keys}</li>
        <li>{t.account.remove.rest}</li>
        <li>{t.account.remove.name(account.user_id)}</li>
      </ul>
      <ActionError error={remove.error} />
      <TextField
        label={t.account.remove.type_name}
        error={errors.name}
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
