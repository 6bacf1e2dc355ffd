import { useState, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/fields/field.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { canShare, share } from '../../../ui/browser/share.ts';
import './invite-code.css';

interface LinkDialogProps {
  link: string;
  title: ReactNode;
  description: string;
  /** The label of the button that copies the link. */
  copy: string;
  /** For the program that the link is shared with. */
  shareTitle: string;
  buttons?: ReactNode;
  /** The user has copied the link, or shares it. */
  onTaken?(): void;
  onClose(): void;
}

/** The QR code of a link in full screen size, with the system's share dialog if there is one. */
export function LinkDialog({ link, title, description, copy, shareTitle, buttons, onTaken, onClose }: LinkDialogProps) {
  const [isNotCopied, setNotCopied] = useState(false);
  return (
    <Dialog
      size="full"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          {canShare() && (
            <Button
              look="primary"
              icon="send"
              onClick={() => {
                share({ title: shareTitle, url: link });
                onTaken?.();
              }}
            >
              {t.shell.kit.share}
            </Button>
          )}
          <CopyButton text={link} label={copy} onCopy={onTaken} onError={() => setNotCopied(true)} />
          {buttons}
        </>
      }
    >
      {isNotCopied && <Note tone="warn">{t.invite_code.not_copied}</Note>}
      <div className="invite-code-ground invite-code-full">
        <QrCode text={link} label={t.links.qr} />
      </div>
      <LinkText label={t.links.as_text} link={link} onCopy={onTaken} />
    </Dialog>
  );
}

/** The link as a text, for a browser that blocks copying. */
export function LinkToCopy({ link }: { link: string }) {
  return (
    <>
      <Note tone="warn">{t.invite_code.not_copied}</Note>
      <LinkText label={t.invite_code.link} link={link} />
    </>
  );
}

interface LinkTextProps {
  label: string;
  link: string;
  onCopy?: (() => void) | undefined;
}

function LinkText({ label, link, onCopy }: LinkTextProps) {
  return (
    <TextField
      quiet
      readOnly
      label={label}
      dir="ltr"
      value={link}
      onCopy={onCopy}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}
