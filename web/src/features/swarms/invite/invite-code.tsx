import { useState, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import './invite-code.css';
import { LabelChoice, type CodeLabels } from '../../../shared/code-label.tsx';
import { inviteLink } from '../../../data/invite-link.ts';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { LinkToCopy } from './link-dialog.tsx';
import type { Invitable } from './qr-dialog.tsx';

interface InviteCodeProps extends Omit<Invitable, 'label'> {
  /** Both widths have the same. */
  labels: CodeLabels;
  /** Shows it in full size. */
  onEnlarge(label: string): void;
}

/** The invite link of a device, for a swarm's owner: to copy, and as a QR code. */
export function InviteCode({ onEnlarge, ...device }: InviteCodeProps) {
  const { link, label } = codeOf(device);
  return (
    <section className="box invite-code" aria-label={t.invite_code.title}>
      <button
        type="button"
        className="invite-code-ground"
        aria-label={t.invite_code.enlarge}
        title={t.invite_code.enlarge}
        onClick={() => onEnlarge(label)}
      >
        <QrCode text={link} label={t.invite_code.qr} />
      </button>
      <Words link={link} text={<p className="quiet">{t.invite_code.text}</p>} />
      <LabelChoice labels={device.labels} />
    </section>
  );
}

/** On a phone, which has no space for the QR code beside other things: a button shows it. */
export function PhoneInviteCode({ onEnlarge, ...device }: InviteCodeProps) {
  const { link, label } = codeOf(device);
  return (
    <section className="invite-code invite-code-phone" aria-label={t.invite_code.title}>
      <Words link={link} button={<Button onClick={() => onEnlarge(label)}>{t.invite_code.show}</Button>} />
      <LabelChoice labels={device.labels} />
    </section>
  );
}

function codeOf({ user_id, resource_id, name, labels }: Omit<InviteCodeProps, 'onEnlarge'>) {
  const label = labels.labelOf(name);
  return { link: inviteLink({ origin: location.origin, to: user_id, resource_id, label }), label };
}

/** The heading, and the button that copies the link. */
function Words({ link, text, button }: { link: string; text?: ReactNode; button?: ReactNode }) {
  const [isNotCopied, setNotCopied] = useState(false);
  return (
    <div className="stack invite-code-words">
      <h2>{t.invite_code.title}</h2>
      {text}
      <div className="line invite-code-actions">
        <CopyButton text={link} label={t.invite_code.copy} onError={() => setNotCopied(true)} />
        {button}
      </div>
      {isNotCopied && <LinkToCopy link={link} />}
    </div>
  );
}
