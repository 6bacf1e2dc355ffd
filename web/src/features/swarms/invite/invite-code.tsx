import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { optional } from '../../../ui/late.tsx';
import { Note } from '../../../ui/notice.tsx';
import { words } from '../swarm-words.ts';
import './invite-code.css';
import { inviteLink } from './invite-codes.ts';

const QrCode = optional(async () => (await import('./qr-code.tsx')).QrCode);
const text = words.code;

/** What a device's owner gives to a swarm's owner: a link, and the same as a QR code that is drawn right here. */
export function InviteCode({ user_id, resource_id, phone }: { user_id: string; resource_id: string; phone: boolean }) {
  const [refused, setRefused] = useState(false);
  const [shown, setShown] = useState(!phone);
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id });
  return (
    <section className={phone ? 'invite-code invite-code-phone' : 'box invite-code'} aria-label={text.title}>
      {shown && (
        <div className="invite-code-ground">
          <QrCode text={link} label={text.qr} />
        </div>
      )}
      <div className="invite-code-words">
        {!phone && <h2>{text.title}</h2>}
        {(!phone || shown) && <p className="invite-code-text">{text.text}</p>}
        <div className="invite-code-acts">
          <CopyButton text={link} label={text.copy} onRefused={() => setRefused(true)} />
          {phone && (
            <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
              {text.show}
            </Button>
          )}
        </div>
        {refused && (
          <>
            <Note tone="warn">{text.not_copied}</Note>
            <TextField
              quiet
              readOnly
              label={text.link}
              dir="ltr"
              value={link}
              onFocus={(event) => event.currentTarget.select()}
            />
          </>
        )}
      </div>
    </section>
  );
}
