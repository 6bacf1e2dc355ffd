import { useState } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import './invite-code.css';
import { LabelChoice, useCodeLabel } from '../../../shared/code-label.tsx';
import { inviteLink } from '../../../data/invite-link.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { LinkToCopy } from './link-dialog.tsx';
import type { Invitable } from './qr-dialog.tsx';

interface InviteCodeProps extends Invitable {
  phone: boolean;
  onEnlarge(label: string): void;
}

/** The invite link of a device, for a swarm's owner: to copy, and as a QR code. */
export function InviteCode({ user_id, resource_id, name, phone, onEnlarge }: InviteCodeProps) {
  const [isNotCopied, setNotCopied] = useState(false);
  const labels = useCodeLabel();
  const label = labels.labelOf(name);
  const link = inviteLink({ origin: location.origin, to: user_id, resource_id, label });
  return (
    <section className={phone ? 'invite-code invite-code-phone' : 'box invite-code'} aria-label={t.invite_code.title}>
      {!phone && (
        <button
          type="button"
          className="invite-code-ground"
          aria-label={t.invite_code.enlarge}
          title={t.invite_code.enlarge}
          onClick={() => onEnlarge(label)}
        >
          <QrCode text={link} label={t.invite_code.qr} />
        </button>
      )}
      <div className="stack invite-code-words">
        <h2>{t.invite_code.title}</h2>
        {!phone && <p className="quiet">{t.invite_code.text}</p>}
        <div className="line invite-code-actions">
          <CopyButton text={link} label={t.invite_code.copy} onError={() => setNotCopied(true)} />
          {phone && <Button onClick={() => onEnlarge(label)}>{t.invite_code.show}</Button>}
        </div>
        {isNotCopied && <LinkToCopy link={link} />}
      </div>
      <LabelChoice labels={labels} />
    </section>
  );
}
