import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ProblemError, errorSentence, isOutcomeUnknown } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useErrorFocus } from '../../../ui/fields/field.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { NewPasswordField } from '../new-password-field.tsx';
import { checkPassword } from '../../../shared/account/check-password.ts';
import { useRecovery } from './recovery.api.ts';
import { SendLink } from './send-link.tsx';
import { signInOptionsQuery } from '../sign-in.api.ts';
import { SignInFrame } from '../sign-in-frame.tsx';
import { UserNameField } from '../user-name-field.tsx';
import { RecoveryCodeField } from './recovery-code-field.tsx';

/** Where a user who has lost the password chooses a new one. */
export function Recover({ username, onSignIn }: { username: string; onSignIn(): void }) {
  const [isDone, setDone] = useState(false);
  return (
    <SignInFrame title={t.account.recovery.lost}>
      <output>
        {isDone ? (
          <div className="stack gap-3">
            <Note icon="check">{t.account.recovery.recovered}</Note>
            <p>{t.account.recovery.after_use}</p>
          </div>
        ) : (
          t.account.recovery.lost_intro
        )}
      </output>
      {!isDone && <RecoverForm of={username} onDone={() => setDone(true)} />}
      {isDone ? (
        <Button look="primary" ref={(button) => button?.focus()} onClick={onSignIn}>
          {t.account.sign_in.title}
        </Button>
      ) : (
        <>
          <p className="quiet">{t.account.recovery.no_code}</p>
          <p className="sign-in-other">
            <button type="button" className="sign-in-switch" onClick={onSignIn}>
              {t.account.recovery.back}
            </button>
          </p>
        </>
      )}
    </SignInFrame>
  );
}

interface Errors {
  username?: string | undefined;
  code?: string | undefined;
  password?: string | undefined;
  form?: string | undefined;
}

function RecoverForm({ of, onDone }: { of: string; onDone(): void }) {
  const recovery = useRecovery();
  const [username, setUsername] = useState(of);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const isEmailOffered = useQuery(signInOptionsQuery).data?.mail_link === true;
  const form = useErrorFocus(errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recovery.isPending) return;
    const found: Errors = {
      username: wrongName(username),
      code: code.trim() === '' ? t.account.recovery.code_missing : undefined,
      password: checkPassword(password),
    };
    setErrors(found);
    if (found.username || found.code || found.password) return;
    recovery.mutate(
      { username, code, newPassword: password },
      { onSuccess: onDone, onError: (error) => setErrors(errorsOf(error)) },
    );
  };
  return (
    <form ref={form} className="form sign-in-form" noValidate onSubmit={submit}>
      <ErrorNote>{errors.form}</ErrorNote>
      <UserNameField
        value={username}
        error={errors.username}
        hint={isEmailOffered ? t.account.recovery.or_address : undefined}
        onChange={setUsername}
      />
      <RecoveryCodeField value={code} error={errors.code} onChange={setCode} />
      <NewPasswordField value={password} error={errors.password} onChange={setPassword} />
      <Button type="submit" look="primary" wide busy={recovery.isPending}>
        {t.account.link.submit}
      </Button>
      {isEmailOffered && (
        <SendLink username={username} onMissing={() => setErrors({ username: t.account.sign_in.username_missing })} />
      )}
    </form>
  );
}

function wrongName(username: string): string | undefined {
  if (username.trim() === '') return t.account.sign_in.username_missing;
  return username.includes('@') ? t.account.recovery.needs_name : undefined;
}

function errorsOf(error: unknown): Errors {
  if (isOutcomeUnknown(error)) return { form: t.account.recovery.maybe_recovered };
  const text = errorSentence(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'sign_in.wrong_code') return { code: text };
  return error.field('/newPassword') ? { password: text } : { form: text };
}
