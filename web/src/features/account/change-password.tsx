import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../api/problem.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useErrorFocus } from '../../ui/field.tsx';
import { useChangePassword } from './account-page.api.ts';
import { checkPassword } from './sign-in/sign-in-card.tsx';

interface Errors {
  current?: string | undefined;
  fresh?: string | undefined;
  form?: string;
}

export function ChangePassword({ onClose }: { onClose(): void }) {
  const form = useId();
  const toasts = useToasts();
  const change = useChangePassword();
  const [current, setCurrent] = useState('');
  const [fresh, setFresh] = useState('');
  const [endOthers, setEndOthers] = useState(true);
  const [errors, setErrors] = useState<Errors>({});
  const ref = useErrorFocus(errors);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = {
      current: current === '' ? t.account.sign_in.password_missing : undefined,
      fresh: checkPassword(fresh),
    };
    setErrors(found);
    if (found.current || found.fresh) return;
    change.mutate(
      { currentPassword: current, newPassword: fresh, revokeOtherSessions: endOthers },
      {
        onSuccess: () => {
          toasts.show({ title: t.account.password.changed });
          onClose();
        },
        onError: (error) => setErrors(errorsOf(error)),
      },
    );
  };

  return (
    <Dialog
      size="small"
      title={t.account.password.title}
      onClose={onClose}
      footer={
        <>
          <Button type="submit" form={form} look="primary" sends busy={change.isPending}>
            {t.account.password.submit}
          </Button>
          <Button onClick={onClose}>{t.account.cancel}</Button>
        </>
      }
    >
      <form ref={ref} id={form} className="form" noValidate onSubmit={submit}>
        <div role="alert">{errors.form && <Note tone="bad">{errors.form}</Note>}</div>
        <PasswordField
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
      </form>
    </Dialog>
  );
}

function errorsOf(error: unknown): Errors {
  if (error instanceof ProblemError && error.code === 'password.wrong') return { current: t.account.password.wrong };
  if (error instanceof ProblemError && error.code === 'password.too_weak') return { fresh: errorSentence(error) };
  return { form: errorSentence(error) };
}
