import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';

/** The QR code in full screen size, with the system's share dialog if there is one. */
export function QrDialog({ link, onClose }: { link: string; onClose(): void }) {
  return (
    <Dialog
      size="full"
      title={t.invite_code.title}
      description={t.invite_code.text}
      onClose={onClose}
      footer={
        <>
          {'share' in navigator && (
            <Button
              look="primary"
              icon="send"
              onClick={() => {
                // Rejects if the user cancels.
                navigator.share({ title: t.invite_code.title, url: link }).catch(() => undefined);
              }}
            >
              {t.invite_code.share}
            </Button>
          )}
          <CopyButton text={link} label={t.invite_code.copy} />
        </>
      }
    >
      <div className="invite-code-ground invite-code-full">
        <QrCode text={link} label={t.invite_code.qr} />
      </div>
    </Dialog>
  );
}
