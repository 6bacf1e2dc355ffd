import type { ComponentType } from 'react';
import { t } from '../../../text/text.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { RecoveryCodeField } from '../recovery/recovery-code-field.tsx';
import { AppCodeField } from '../second-factor/app-code-field.tsx';
import { askForPasskey } from '../passkeys/passkeys.api.ts';
import { hasWebAuthn } from '../passkeys/webauthn.ts';

interface WayFieldProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** By what the user confirms that it is them. Its texts are those of `t.account.confirm.ways`. */
interface Way {
  name: keyof typeof t.account.confirm.ways;
  /** What the user types; without one, the button alone confirms. */
  Field?: ComponentType<WayFieldProps>;
  /** Returns what is sent, or a promise of it. */
  valueOf(typed: string): unknown;
}

const text = (typed: string) => typed;

/** In the order in which they are offered. */
export const confirmingWays: readonly Way[] = [
  { name: 'password', Field: Password, valueOf: text },
  ...(hasWebAuthn() ? [{ name: 'passkey', valueOf: () => askForPasskey() } as const] : []),
  { name: 'totp', Field: AppCodeField, valueOf: text },
  { name: 'code', Field: RecoveryCodeField, valueOf: text },
];

function Password({ value, error, onChange }: WayFieldProps) {
  return (
    <PasswordField
      label={t.account.remove.password}
      autoComplete="current-password"
      error={error}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
