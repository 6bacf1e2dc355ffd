import { useState, type ReactNode } from 'react';
import { ProblemError } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ActionError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

interface ConfirmPasswordProps {
  title: ReactNode;
  description: string;
  submit: string;
  busy: boolean;
  error: Error | null;
  onConfirm(password: string): void;
  onClose(): void;
}

/** Asks for the user's password before something that must not be done by somebody who has found an open session. */
export function ConfirmPassword({ title, description, submit, busy, error, onConfirm, onClose }: ConfirmPasswordProps) {
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ password?: string | undefined }>({});
  const isWrong = error instanceof ProblemError && error.code === 'password.wrong';
  return (
    <FormDialog
      title={title}
      description={description}
      submit={submit}
      busy={busy}
      errors={isWrong ? error : errors}
      onSubmit={() => {
        const missing = password === '' ? t.account.sign_in.password_missing : undefined;
        setErrors({ password: missing });
        if (!missing) onConfirm(password);
      }}
      onClose={onClose}
    >
      <ActionError error={isWrong ? null : error} />
      <PasswordField
        label={t.account.remove.password}
        autoComplete="current-password"
        error={isWrong ? t.account.password.wrong : errors.password}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
