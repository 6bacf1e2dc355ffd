import { inviteLink } from '../../../api/memberships.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';

/** A device whose invite code can be shown. */
export interface Invitable {
  user_id: string;
  resource_id: string;
  name: string;
}

/** The QR code in full screen size, with the system's share dialog if there is one. */
export function QrDialog({ of, onClose }: { of: Invitable; onClose(): void }) {
  const link = inviteLink({ origin: location.origin, to: of.user_id, resource_id: of.resource_id });
  return (
    <Dialog
      size="full"
      title={<Rich text={t.invite_code.title_of} name={<Bdi>{of.name}</Bdi>} />}
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
