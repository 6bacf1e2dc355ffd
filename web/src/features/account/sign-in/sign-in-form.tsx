import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { touch } from '../../../ui/media.ts';
import { Note } from '../../../ui/notice.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { checkCredentials, credentialFaults } from './credentials.ts';
import type { CredentialFaults } from './credentials.ts';
import './sign-in-form.css';
import { enter } from './sign-in.api.ts';

/** User name and password. The fields keep their values after an error. */
export function SignInForm({
  mode,
  user_id,
  onEntered,
}: {
  mode: 'sign-in' | 'sign-up';
  /** Set if only this user may sign in again. */
  user_id?: string;
  onEntered(account: Account): void;
}) {
  const [username, setUsername] = useState(user_id ?? '');
  const [password, setPassword] = useState('');
  const [rejected, setRejected] = useState<{ mode: string; faults: CredentialFaults }>({ mode, faults: {} });
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const signUp = mode === 'sign-up';
  const faults = rejected.mode === mode ? rejected.faults : {};

  useEffect(() => {
    // Not on touch screens, where the keyboard would cover the page.
    if (user_id === undefined && !matchMedia(touch).matches) focusOn(form.current, 'username');
  }, [user_id]);

  const reject = (found: CredentialFaults) => {
    setRejected({ mode, faults: found });
    focusOn(form.current, found.username ? 'username' : 'password');
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = checkCredentials({ mode, username, password });
    if (Object.keys(found).length > 0) return reject(found);
    setBusy(true);
    setRejected({ mode, faults: {} });
    try {
      onEntered(await enter({ mode, username, password }));
    } catch (error) {
      reject(credentialFaults(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={form} className="sign-in-form" noValidate onSubmit={(event) => void submit(event)}>
      <div role="alert">
        {faults.form && (
          <Note tone="bad" icon="warning">
            {faults.form}
          </Note>
        )}
      </div>
      <TextField
        label={t.account.sign_in.username}
        hint={signUp && t.account.sign_in.username_hint}
        error={faults.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={user_id !== undefined}
        value={username}
        onChange={(event) => setUsername(event.target.value.toLowerCase())}
      />
      <PasswordField
        label={t.account.sign_in.password}
        hint={signUp && t.account.sign_in.password_hint}
        error={faults.password}
        name="password"
        autoComplete={signUp ? 'new-password' : 'current-password'}
        data-autofocus={user_id !== undefined || undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" look="primary" wide busy={busy}>
        {signUp ? t.account.sign_in.sign_up_submit : t.account.sign_in.submit}
      </Button>
    </form>
  );
}

function focusOn(form: HTMLFormElement | null, name: 'username' | 'password') {
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
}
