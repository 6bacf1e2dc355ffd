import { useState, type FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../../data/problem.ts';
import { product, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField, useErrorFocus } from '../../../ui/field.tsx';
import { ErrorNote } from '../../../ui/form-error.tsx';
import { Logo } from '../../../ui/icon.tsx';
import { Note } from '../../../ui/notice.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { NewPasswordField } from '../new-password-field.tsx';
import { checkPassword } from '../../../shared/account/check-password.ts';
import '../sign-in-card.css';
import { useRecovery } from './recovery.api.ts';

/** Where a user who has lost the password chooses a new one. */
export function Recover({ onSignIn }: { onSignIn(): void }) {
  usePageTitle(t.account.recovery.lost);
  const [isDone, setDone] = useState(false);
  return (
    <div className="stack gap-4 sign-in-card">
      <p className="line gap-3 sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      <h1>{t.account.recovery.lost}</h1>
      <output>
        {isDone ? <Note icon="check">{t.account.recovery.recovered}</Note> : t.account.recovery.lost_intro}
      </output>
      {!isDone && <RecoverForm onDone={() => setDone(true)} />}
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
    </div>
  );
}

interface Errors {
  username?: string | undefined;
  code?: string | undefined;
  password?: string | undefined;
  form?: string | undefined;
}

function RecoverForm({ onDone }: { onDone(): void }) {
  const recovery = useRecovery();
  const [username, setUsername] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const form = useErrorFocus(errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recovery.isPending) return;
    const found: Errors = {
      username: username.trim() === '' ? t.account.sign_in.username_missing : undefined,
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
      <TextField
        label={t.account.sign_in.username}
        error={errors.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value.toLowerCase())}
      />
      <TextField
        label={t.account.recovery.code}
        hint={t.account.recovery.code_hint}
        error={errors.code}
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <NewPasswordField value={password} error={errors.password} onChange={setPassword} />
      <Button type="submit" look="primary" wide busy={recovery.isPending}>
        {t.account.link.submit}
      </Button>
    </form>
  );
}

function errorsOf(error: unknown): Errors {
  const text = errorSentence(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'sign_in.wrong_code') return { code: text };
  return error.field('/newPassword') ? { password: text } : { form: text };
}
