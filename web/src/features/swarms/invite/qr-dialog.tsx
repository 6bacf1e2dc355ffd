import { inviteLink } from '../../../data/invite-link.ts';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { LinkDialog } from './link-dialog.tsx';

/** A device whose invite code can be shown. */
export interface Invitable {
  user_id: string;
  resource_id: string;
  name: string;
  /** The label in the code. */
  label?: string;
}

/** The invite code of a device as a QR code. */
export function QrDialog({ of, onClose }: { of: Invitable; onClose(): void }) {
  return (
    <LinkDialog
      link={inviteLink({ origin: location.origin, to: of.user_id, ...of })}
      title={<Rich text={t.invite_code.title_of} name={<Bdi>{of.name}</Bdi>} />}
      description={t.invite_code.text}
      copy={t.invite_code.copy}
      shareTitle={t.invite_code.title}
      onClose={onClose}
    />
  );
}
