import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../swarm-words.ts';
import { QrCode } from './qr-code.tsx';

const text = words.code;

/** The code as large as the screen, for somebody else's camera; shared by the system's dialog where there is one. */
export function QrDialog({ link, onClose }: { link: string; onClose(): void }) {
  return (
    <Dialog
      size="full"
      title={text.title}
      description={text.text}
      onClose={onClose}
      footer={
        <>
          {'share' in navigator && (
            <Button
              look="primary"
              icon="send"
              onClick={() => {
                // rejects when the user cancels
                navigator.share({ title: text.title, url: link }).catch(() => undefined);
              }}
            >
              {text.share}
            </Button>
          )}
          <CopyButton text={link} label={text.copy} />
        </>
      }
    >
      <div className="invite-code-ground invite-code-full">
        <QrCode text={link} label={text.qr} />
      </div>
    </Dialog>
  );
}
