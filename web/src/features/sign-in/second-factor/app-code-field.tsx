import { t } from '../../../text/text.ts';
import { TextField } from '../../../ui/fields/field.tsx';

interface AppCodeFieldProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** The six digits that an authenticator app shows. */
export function AppCodeField({ value, error, onChange }: AppCodeFieldProps) {
  return (
    <TextField
      label={t.account.totp.code}
      hint={t.account.totp.code_hint}
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      dir="ltr"
      error={error}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
