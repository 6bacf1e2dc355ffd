import { useEffect } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { nameOfDevice } from './device-name.ts';
import { noteOffer } from './offered.ts';
import { newPasskeySentence, useNewPasskey } from './passkeys.api.ts';
import { SignInFrame } from '../sign-in-frame.tsx';

/** Offers a passkey once, after a sign-in with a password on a device that can have one. */
export function PasskeyOffer({ onDone }: { onDone(): void }) {
  useEffect(noteOffer, []);
  const add = useNewPasskey();
  return (
    <SignInFrame title={t.account.passkeys.offer_title} takesFocus>
      <p>{t.account.passkeys.offer_text}</p>
      <div className="stack gap-3 sign-in-form">
        <ErrorNote>{add.error && newPasskeySentence(add.error)}</ErrorNote>
        <Button
          look="primary"
          wide
          busy={add.isPending}
          onClick={() => add.mutate(nameOfDevice(), { onSuccess: onDone })}
        >
          {t.account.passkeys.add}
        </Button>
        <Button look="quiet" wide onClick={onDone}>
          {t.account.passkeys.not_now}
        </Button>
      </div>
    </SignInFrame>
  );
}
