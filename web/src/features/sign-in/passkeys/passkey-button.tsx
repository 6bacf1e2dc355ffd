import { useMutation } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { enterWithPasskey, passkeySentence } from './passkeys.api.ts';
import { usePasskeyAutofill } from './use-passkey-autofill.ts';
import { hasWebAuthn } from './webauthn.ts';

/** Signs in without a user name. Nothing is shown in a browser that has no passkeys. */
export function PasskeyButton({ onEntered }: { onEntered(account: Account): void }) {
  const signIn = useMutation({
    mutationFn: (chosen?: object) => enterWithPasskey(chosen),
    onSuccess: (account) => onEntered(account),
  });
  usePasskeyAutofill({ isPaused: signIn.isPending || signIn.isSuccess, onChosen: (chosen) => signIn.mutate(chosen) });
  if (!hasWebAuthn()) return null;
  return (
    <div className="stack gap-2 sign-in-form">
      <Button icon="lock" wide busy={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        {t.account.passkeys.use}
      </Button>
      <ErrorNote>{signIn.error && passkeySentence(signIn.error)}</ErrorNote>
    </div>
  );
}
