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
const QrDialog = optional(async () => (await import('./qr-dialog.tsx')).QrDialog);
const text = words.code;

/** The invite link of a device, for a swarm's owner: to copy, and as a QR code. */
export function InviteCode({ user_id, resource_id, phone }: { user_id: string; resource_id: string; phone: boolean }) {
  const [refused, setRefused] = useState(false);
  const [enlarged, setEnlarged] = useState(false);
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id });
  return (
    <section className={phone ? 'invite-code invite-code-phone' : 'box invite-code'} aria-label={text.title}>
      {!phone && (
        <button
          type="button"
          className="invite-code-ground"
          aria-label={text.enlarge}
          title={text.enlarge}
          onClick={() => setEnlarged(true)}
        >
          <QrCode text={link} label={text.qr} />
        </button>
      )}
      {enlarged && <QrDialog link={link} onClose={() => setEnlarged(false)} />}
      <div className="invite-code-words">
        {!phone && <h2>{text.title}</h2>}
        {!phone && <p className="invite-code-text">{text.text}</p>}
        <div className="invite-code-acts">
          <CopyButton text={link} label={text.copy} onRefused={() => setRefused(true)} />
          {phone && <Button onClick={() => setEnlarged(true)}>{text.show}</Button>}
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
