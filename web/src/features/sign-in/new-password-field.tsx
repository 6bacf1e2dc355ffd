import { t } from '../../text/text.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';

interface NewPasswordFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The password that replaces a lost one. */
export function NewPasswordField({ value, error, onChange }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={t.account.password.fresh}
      hint={t.account.link.hint}
      error={error}
      name="password"
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
