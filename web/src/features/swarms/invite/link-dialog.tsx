import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
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
  onClose(): void;
}

/** The QR code of a link in full screen size, with the system's share dialog if there is one. */
export function LinkDialog({ link, title, description, copy, shareTitle, buttons, onClose }: LinkDialogProps) {
  return (
    <Dialog
      size="full"
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          {'share' in navigator && (
            <Button
              look="primary"
              icon="send"
              onClick={() => {
                // Rejects if the user cancels.
                navigator.share({ title: shareTitle, url: link }).catch(() => undefined);
              }}
            >
              {t.invite_code.share}
            </Button>
          )}
          <CopyButton text={link} label={copy} />
          {buttons}
        </>
      }
    >
      <div className="invite-code-ground invite-code-full">
        <QrCode text={link} label={t.invite_code.qr} />
      </div>
    </Dialog>
  );
}
