import { useEffect, useState, type FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useErrorFocus } from '../../../ui/field.tsx';
import { ErrorNote } from '../../../ui/form-error.tsx';
import { enterWithCode, type Entered } from '../sign-in.api.ts';
import { AppCodeField } from './app-code-field.tsx';
import { RecoveryCodeField } from '../recovery/recovery-code-field.tsx';

interface SecondFactorProps {
  onEntered(entered: Entered): void;
  /** Back to the first step. */
  onBack(): void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code instead. */
export function SecondFactor({ onEntered, onBack }: SecondFactorProps) {
  const [isLost, setLost] = useState(false);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ code?: string; form?: string }>({});
  const form = useErrorFocus(errors);
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus(), [form]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === '')
      return setErrors({ code: isLost ? t.account.recovery.code_missing : t.account.totp.missing });
    setBusy(true);
    try {
      onEntered(await enterWithCode(code));
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === 'second_factor.wrong';
      const sentence = isWrong && isLost ? t.account.confirm.ways.code.wrong : errorSentence(error);
      setErrors(isWrong ? { code: sentence } : { form: sentence });
    } finally {
      setBusy(false);
    }
  };
  const change = () => {
    setLost(!isLost);
    setCode('');
    setErrors({});
  };
  return (
    <form ref={form} className="form sign-in-form" noValidate onSubmit={(event) => void submit(event)}>
      <p>{isLost ? t.account.recovery.code_missing : t.account.totp.asked}</p>
      <ErrorNote>{errors.form}</ErrorNote>
      {isLost ? (
        <RecoveryCodeField key="recovery" value={code} error={errors.code} onChange={setCode} />
      ) : (
        <AppCodeField key="app" value={code} error={errors.code} onChange={setCode} />
      )}
      <Button type="submit" look="primary" wide busy={busy}>
        {t.account.sign_in.submit}
      </Button>
      <p className="sign-in-other">
        <button type="button" className="sign-in-switch" onClick={change}>
          {isLost ? t.account.totp.use_app : t.account.totp.lost}
        </button>
      </p>
      <p className="sign-in-other">
        <button type="button" className="sign-in-switch" onClick={onBack}>
          {t.account.recovery.back}
        </button>
      </p>
    </form>
  );
}
