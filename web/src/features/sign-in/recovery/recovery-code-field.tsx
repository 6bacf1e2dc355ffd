import { t } from '../../../text/text.ts';
import { TextField } from '../../../ui/fields/field.tsx';

interface RecoveryCodeFieldProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

export function RecoveryCodeField({ value, error, onChange }: RecoveryCodeFieldProps) {
  return (
    <TextField
      label={t.account.recovery.code}
      hint={t.account.recovery.code_hint}
      error={error}
      name="code"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
