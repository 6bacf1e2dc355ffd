import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useErrorFocus } from '../../../ui/fields/field.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { enterWithCode, type Entered } from '../sign-in.api.ts';
import { AppCodeField } from './app-code-field.tsx';
import { recoveryCodesQuery } from '../recovery/recovery.api.ts';
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
  /** By a recovery code. */
  const [entered, setEntered] = useState<Entered>();
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
      const user = await enterWithCode(code);
      if (isLost) setEntered(user);
      else onEntered(user);
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
  if (entered) return <CodeUsed onDone={() => onEntered(entered)} />;
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

/** After a recovery code: how many are left, and what belongs to what was lost. */
function CodeUsed({ onDone }: { onDone(): void }) {
  const left = useQuery(recoveryCodesQuery).data?.left;
  const { recovery } = t.account;
  return (
    <>
      <output className="stack gap-3">
        <Note icon="check">{recovery.code_used}</Note>
        {left !== undefined && <strong>{left === 0 ? recovery.none : recovery.left(left)}</strong>}
        <p>{recovery.after_use}</p>
      </output>
      <Button look="primary" wide ref={(button) => button?.focus()} onClick={onDone}>
        {recovery.continue}
      </Button>
    </>
  );
}
