import { t } from '../../text/text.ts';
import { TextField } from '../../ui/fields/field.tsx';

interface UserNameFieldProps {
  value: string;
  error: string | undefined;
  hint?: string | undefined;
  /** It is the name of a new user. */
  isNew?: boolean;
  /** It cannot be changed. */
  isGiven?: boolean;
  onChange(value: string): void;
}

export function UserNameField({ value, error, hint, isNew = false, isGiven = false, onChange }: UserNameFieldProps) {
  return (
    <TextField
      label={t.account.sign_in.username}
      hint={isNew ? t.account.sign_in.username_hint : hint}
      error={error}
      name="username"
      // Passkeys are among the suggestions, but not of a new user.
      autoComplete={isNew || isGiven ? 'username' : 'username webauthn'}
      autoCapitalize="none"
      spellCheck={false}
      readOnly={isGiven}
      value={value}
      onChange={(event) => onChange(event.target.value.toLowerCase())}
    />
  );
}
