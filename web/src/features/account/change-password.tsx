import { useState } from 'react';
import { ProblemError, errorSentence, isOutcomeUnknown } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { ErrorNote } from '../../ui/fields/form-error.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import { useChangePassword } from './account-page.api.ts';
import { checkPassword } from '../../shared/account/check-password.ts';
import { saidByItself } from '../../ui/dialogs/use-closing.ts';

interface Errors {
  current?: string | undefined;
  fresh?: string | undefined;
  form?: string;
}

export function ChangePassword({ onClose }: { onClose(): void }) {
  const toasts = useToasts();
  const change = useChangePassword();
  const [current, setCurrent] = useState('');
  const [fresh, setFresh] = useState('');
  const [endOthers, setEndOthers] = useState(true);
  const [errors, setErrors] = useState<Errors>({});
  const [mayBeChanged, setMayBeChanged] = useState(false);

  function showError(error: unknown) {
    if (isOutcomeUnknown(error)) setMayBeChanged(true);
    const { wrong, wrong_again } = t.account.password;
    setErrors(isWrong(error) ? { current: mayBeChanged ? wrong_again : wrong } : errorsOf(error));
  }
  const submit = () => {
    const found = {
      current: current === '' ? t.account.sign_in.password_missing : undefined,
      fresh: checkPassword(fresh),
    };
    setErrors(found);
    if (found.current || found.fresh) return;
    const changed = change.mutateAsync(
      { currentPassword: current, newPassword: fresh, revokeOtherSessions: endOthers },
      // Not called after the dialog was closed.
      { onSuccess: onClose, onError: showError },
    );
    changed.then(
      () => toasts.show({ title: t.account.password.changed }),
      () => undefined,
    );
  };

  return (
    <FormDialog
      title={t.account.password.title}
      submit={t.account.password.submit}
      busy={change.isPending}
      outcome={saidByItself}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <ErrorNote>{errors.form}</ErrorNote>
      <PasswordField
        data-autofocus
        label={t.account.password.current}
        autoComplete="current-password"
        error={errors.current}
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <PasswordField
        label={t.account.password.fresh}
        autoComplete="new-password"
        error={errors.fresh}
        value={fresh}
        onChange={(event) => setFresh(event.target.value)}
      />
      <Checkbox label={t.account.password.end_others} checked={endOthers} onChange={setEndOthers} />
    </FormDialog>
  );
}

const isWrong = (error: unknown) => error instanceof ProblemError && error.code === 'password.wrong';

function errorsOf(error: unknown): Errors {
  if (error instanceof ProblemError && error.field('/newPassword')) return { fresh: errorSentence(error) };
  return { form: errorSentence(error) };
}
