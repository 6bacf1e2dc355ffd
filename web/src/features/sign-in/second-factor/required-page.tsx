import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { confirmation } from '../../../data/confirmation.ts';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { useSignOut } from '../../../shared/account/sign-out.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { useErrorToast } from '../../../ui/toasts/toast.tsx';
import { ConfirmIdentity } from '../confirm/confirm-identity.tsx';
import { nameOfDevice } from '../passkeys/device-name.ts';
import { newPasskeySentence, useNewPasskey } from '../passkeys/passkeys.api.ts';
import { hasWebAuthn } from '../passkeys/webauthn.ts';
import { signInOptionsQuery } from '../sign-in.api.ts';
import { SignInFrame } from '../sign-in-frame.tsx';
import { useAppSetUp } from './authenticator-app.tsx';
import '../sign-in-page.css';

/** All that is shown while this server requires a second factor and the session has none. */
export function RequiredPage({ onDone }: { onDone(): void }) {
  const { data: state, isSuccess } = useQuery({ ...accountQuery, select: (account) => account.second_factor });
  const app = useAppSetUp();
  const isConfirming = useSyncExternalStore(confirmation.subscribe, confirmation.isAsked);
  const showError = useErrorToast();
  const signOut = useSignOut();
  const isDone = isSuccess && state === undefined && !app.isOpen;
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone, onDone]);
  return (
    <div className="center sign-in">
      <main className="sign-in-main">
        <SignInFrame title={t.account.second_step.title} takesFocus>
          <div className="stack gap-3 sign-in-form">
            {state === 'confirm' ? (
              <>
                <p>{t.account.second_step.confirm_text}</p>
                <Button look="primary" wide sends onClick={() => void confirmation.ask()}>
                  {t.account.second_step.confirm}
                </Button>
              </>
            ) : (
              <>
                <p>{t.account.second_step.text}</p>
                <AddPasskey />
                <p className="quiet">{t.account.second_step.app_text}</p>
                <Button wide sends busy={app.isBusy} onClick={app.begin}>
                  {t.account.totp.set_up_title}
                </Button>
              </>
            )}
          </div>
          <p className="sign-in-other">
            <button
              type="button"
              className="sign-in-switch"
              onClick={() => signOut.mutate(undefined, { onError: (error) => showError(error) })}
            >
              {t.account.profile.sign_out}
            </button>
          </p>
        </SignInFrame>
      </main>
      {app.dialogs}
      {isConfirming && <ConfirmIdentity />}
    </div>
  );
}

/** Where this browser and this server have passkeys. */
function AddPasskey() {
  const add = useNewPasskey();
  const options = useQuery(signInOptionsQuery).data;
  if (!options?.passkeys || !hasWebAuthn()) return null;
  return (
    <>
      <p className="quiet">{t.account.passkeys.text}</p>
      <ErrorNote>{add.error && newPasskeySentence(add.error)}</ErrorNote>
      <Button look="primary" wide sends busy={add.isPending} onClick={() => add.mutate(nameOfDevice())}>
        {t.account.passkeys.add}
      </Button>
    </>
  );
}
