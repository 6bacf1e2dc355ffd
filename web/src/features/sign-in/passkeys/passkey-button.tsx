import { useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/form-error.tsx';
import { enterWithPasskey, passkeySentence } from './passkeys.api.ts';
import { hasWebAuthn } from './webauthn.ts';

/** Signs in without a user name. Nothing is shown in a browser that has no passkeys. */
export function PasskeyButton({ onEntered }: { onEntered(account: Account): void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  if (!hasWebAuthn()) return null;
  const signIn = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      onEntered(await enterWithPasskey());
    } catch (reason) {
      setError(passkeySentence(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="stack gap-2 sign-in-form">
      <Button icon="lock" wide busy={isBusy} onClick={() => void signIn()}>
        {t.account.passkeys.use}
      </Button>
      <ErrorNote>{error}</ErrorNote>
    </div>
  );
}
