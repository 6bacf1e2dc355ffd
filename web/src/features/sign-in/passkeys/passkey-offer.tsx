import { useEffect, useRef } from 'react';
import { product, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/form-error.tsx';
import { Logo } from '../../../ui/icon.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { nameOfDevice } from './device-name.ts';
import { noteOffer } from './offered.ts';
import { passkeySentence, useNewPasskey } from './passkeys.api.ts';
import '../sign-in-card.css';

/** Offers a passkey once, after a sign-in with a password on a device that can have one. */
export function PasskeyOffer({ onDone }: { onDone(): void }) {
  usePageTitle(t.account.passkeys.offer_title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    noteOffer();
    heading.current?.focus();
  }, []);
  const add = useNewPasskey();
  return (
    <div className="stack gap-4 sign-in-card">
      <p className="line gap-3 sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {t.account.passkeys.offer_title}
      </h1>
      <p>{t.account.passkeys.offer_text}</p>
      <div className="stack gap-3 sign-in-form">
        <ErrorNote>{add.error && passkeySentence(add.error)}</ErrorNote>
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
    </div>
  );
}
