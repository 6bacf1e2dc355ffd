import type { InvitationItem } from '@swarmdeck/bff/contract';
import { EndTime, UntilDate } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Rich } from '../../ui/texts/rich.tsx';

/** Until when the device is a member if it is accepted, and instead of which end. `before`: a separator. */
export function ItemEnd({ item, before }: { item: InvitationItem; before?: string }) {
  const { ends_at, member_ends_at, other_role_ends_at: other } = item;
  const at = ends_at ?? other ?? undefined;
  if (at === undefined) return null;
  const instead = member_ends_at ?? (other === at ? undefined : (other ?? undefined));
  return (
    <span className="quiet">
      {before}
      {other === null ? (
        <Rich text={t.invitations.until.instead_of_none} date={<EndTime at={at} />} />
      ) : (
        <UntilDate at={at} instead={instead} />
      )}
    </span>
  );
}
