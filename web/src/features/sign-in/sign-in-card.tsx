import { t } from '../../text/text.ts';
import { ErrorNote } from '../../ui/fields/form-error.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { touch } from '../../ui/browser/media.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { checkPassword } from '../../shared/account/check-password.ts';
import { SecondFactor } from './second-factor/second-factor.tsx';
import { checkUserName } from './check-user-name.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { WaitingChanges } from './waiting-changes.tsx';
import { UserNameField } from './user-name-field.tsx';
import { enter, newAttempt, type Credentials, type Entered } from './sign-in.api.ts';
import { ProblemError, errorSentence, isOutcomeUnknown } from '../../data/problem.ts';

type Mode = Credentials['mode'];

/** The account was deleted just now, the server was restored, or the session has ended otherwise. */
export type WhySignedOut = 'deleted' | 'restored' | 'ended';

interface SignInCardProps {
  mode: Mode;
  onMode(mode: Mode): void;
  /** The name of the page after sign-in, or null. */
  next: string | null;
  /** What the user was invited to. */
  intro?: ReactNode;
  /** Whether the server allows sign-up. */
  open: boolean;
  /** Why the user, who was signed in, has to sign in. */
  why: WhySignedOut | null;
  /** Whether users have passwords on this server. */
  passwords: boolean;
  /** Such as why a sign-in by a provider has failed. */
  notes: ReactNode;
  /** Besides user name and password. */
  otherWays: ReactNode;
  /** The password is lost of the user whose name was typed, if any. */
  onLost(username: string): void;
  onEntered(entered: Entered): void;
}

export function SignInCard({
  mode,
  onMode,
  next,
  intro,
  open,
  why,
  passwords,
  notes,
  otherWays,
  onLost,
  onEntered,
}: SignInCardProps) {
  const signUp = mode === 'sign-up';
  const title = signUp ? t.account.sign_in.sign_up_title : t.account.sign_in.title;
  const card = useRef<HTMLDivElement>(null);
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  // Sign-up has no second step.
  const isSecondStep = isCodeNeeded && !signUp;
  const switchMode = () => {
    onMode(signUp ? 'sign-in' : 'sign-up');
    focusFirst(card.current);
  };
  return (
    <SignInFrame ref={card} title={title} intro={intro || <p>{t.account.sign_in.about}</p>}>
      {why && <Note icon={why === 'deleted' ? 'check' : 'info'}>{t.account.session.why[why]}</Note>}
      <WaitingChanges />
      {next !== null && (
        <Note icon="forward">
          <Rich text={t.account.sign_in.next} page={<b>{next}</b>} />
        </Note>
      )}
      {notes}
      {passwords && (
        <SignInForm mode={mode} isSecondStep={isSecondStep} onEntered={onEntered} onCodeNeeded={setCodeNeeded} />
      )}
      {!isSecondStep && otherWays}
      {passwords && !signUp && !isSecondStep && (
        <p className="sign-in-other">
          <button type="button" className="sign-in-switch" onClick={() => onLost(userNameIn(card.current))}>
            {t.account.recovery.lost}
          </button>
        </p>
      )}
      {open && passwords && !isSecondStep && (
        <p className="sign-in-other">
          {signUp ? t.account.sign_in.have_one : t.account.sign_in.new_here}{' '}
          <button type="button" className="sign-in-switch" onClick={switchMode}>
            {signUp ? t.account.sign_in.to_sign_in : t.account.sign_in.to_sign_up}
          </button>
        </p>
      )}
      {!open && !isSecondStep && <p className="sign-in-other">{t.account.sign_in.closed}</p>}
    </SignInFrame>
  );
}

const userNameIn = (card: HTMLElement | null) => card?.querySelector<HTMLInputElement>('[name=username]')?.value ?? '';

interface SignInFormProps {
  mode: Mode;
  /** Set if only this user may sign in again. */
  user_id?: string;
  /** The password was right, and a code is asked for. */
  isSecondStep: boolean;
  /** A code is needed, too. False: the user goes back. */
  onCodeNeeded(isNeeded: boolean): void;
  onEntered(entered: Entered): void;
}

/** User name and password. The fields keep their values after an error. */
export function SignInForm({ mode, user_id, isSecondStep, onCodeNeeded, onEntered }: SignInFormProps) {
  const [username, setUsername] = useState(user_id ?? '');
  const [password, setPassword] = useState('');
  const [rejected, setRejected] = useState<{ mode: string; errors: CredentialErrors }>({ mode, errors: {} });
  const [busy, setBusy] = useState(false);
  const [attempt] = useState(newAttempt);
  const form = useRef<HTMLFormElement>(null);
  const signUp = mode === 'sign-up';
  const errors = rejected.mode === mode ? rejected.errors : {};

  useEffect(() => {
    if (isSecondStep) return;
    if (user_id === undefined) focusFirst(form.current);
    else focusOn(form.current, 'password');
  }, [user_id, isSecondStep]);

  const reject = (found: CredentialErrors) => {
    setRejected({ mode, errors: found });
    focusOn(form.current, found.username ? 'username' : 'password');
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = checkCredentials({ mode, username, password });
    if (Object.keys(found).length > 0) return reject(found);
    setBusy(true);
    setRejected({ mode, errors: {} });
    try {
      const entered = await enter({ mode, username, password, attempt });
      if ('second_factor' in entered) onCodeNeeded(true);
      else onEntered(entered);
    } catch (error) {
      reject(credentialErrors(error, mode));
    } finally {
      setBusy(false);
    }
  };

  if (isSecondStep) return <SecondFactor onEntered={onEntered} onBack={() => onCodeNeeded(false)} />;
  return (
    <form ref={form} className="form sign-in-form" noValidate onSubmit={(event) => void submit(event)}>
      <ErrorNote>{errors.form}</ErrorNote>
      <UserNameField
        isNew={signUp}
        isGiven={user_id !== undefined}
        value={username}
        error={errors.username}
        onChange={setUsername}
      />
      <PasswordField
        label={t.account.sign_in.password}
        hint={signUp && t.account.sign_in.password_hint}
        error={errors.password}
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

/** Not on touch screens, where the keyboard would cover the page. */
function focusFirst(within: HTMLElement | null) {
  if (!matchMedia(touch).matches) focusOn(within, 'username');
}

function focusOn(form: HTMLElement | null, name: 'username' | 'password') {
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
}

type CredentialErrors = Partial<Record<'username' | 'password' | 'form', string>>;

/** Checks credentials before they are sent. Sign-in only requires non-empty fields. */
export function checkCredentials({ mode, username, password }: Credentials) {
  const errors: CredentialErrors = {};
  const wrong = mode === 'sign-up' || username === '' ? checkUserName(username) : undefined;
  if (wrong) errors.username = wrong;
  const weak = mode === 'sign-up' || password === '' ? checkPassword(password) : undefined;
  if (weak) errors.password = weak;
  return errors;
}

/** Assigns the errors of the server to their fields, or to the form. */
export function credentialErrors(error: unknown, mode: Mode): CredentialErrors {
  if (mode === 'sign-up' && isOutcomeUnknown(error)) return { form: t.account.sign_in.sign_up_unanswered };
  const text = errorSentence(error);
  if (!(error instanceof ProblemError)) return { form: text };
  if (error.code === 'session.missing') return { form: t.account.sign_in.no_cookie };
  if (error.code === 'sign_up.name_taken' || error.field('/username')) return { username: text };
  if (error.field('/password')) return { password: text };
  return { form: text };
}
