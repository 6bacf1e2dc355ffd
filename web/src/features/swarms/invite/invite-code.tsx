import { useState } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/notice.tsx';
import './invite-code.css';
import { inviteLink } from '../../../api/memberships.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import type { Invitable } from './qr-dialog.tsx';

/** The invite link of a device, for a swarm's owner: to copy, and as a QR code. */
export function InviteCode({
  user_id,
  resource_id,
  phone,
  onEnlarge,
}: Omit<Invitable, 'name'> & { phone: boolean; onEnlarge(): void }) {
  const [isNotCopied, setNotCopied] = useState(false);
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id });
  return (
    <section className={phone ? 'invite-code invite-code-phone' : 'box invite-code'} aria-label={t.invite_code.title}>
      {!phone && (
        <button
          type="button"
          className="invite-code-ground"
          aria-label={t.invite_code.enlarge}
          title={t.invite_code.enlarge}
          onClick={onEnlarge}
        >
          <QrCode text={link} label={t.invite_code.qr} />
        </button>
      )}
      <div className="invite-code-words">
        {!phone && <h2>{t.invite_code.title}</h2>}
        {!phone && <p className="quiet">{t.invite_code.text}</p>}
        <div className="invite-code-actions">
          <CopyButton text={link} label={t.invite_code.copy} onError={() => setNotCopied(true)} />
          {phone && <Button onClick={onEnlarge}>{t.invite_code.show}</Button>}
        </div>
        {isNotCopied && (
          <>
            <Note tone="warn">{t.invite_code.not_copied}</Note>
            <TextField
              quiet
              readOnly
              label={t.invite_code.link}
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
