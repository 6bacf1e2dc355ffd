import type { SwarmItem } from '@swarmdeck/bff/contract';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/router.tsx';
import { Time } from '../../../ui/time.tsx';
import { OwnerName } from '../owner-name.tsx';
import { Tag } from '../tag.tsx';
import { destroySwarmKey } from '../swarm-writes.api.ts';
import { OwnRoles } from './own-roles.tsx';
import { TypeShares } from './type-shares.tsx';

/** A swarm in two lines. Its name and its whole row link to its page. */
export function SwarmTableRow({ swarm, mine }: { swarm: SwarmItem; mine: boolean }) {
  const { id, name, description, members, own, invitations, member_count } = swarm;
  const destroying = usePendingPhase(destroySwarmKey(id));
  const open = invitations?.new ?? 0;
  return (
    <tr className={destroying ? 'swarm-table-going' : undefined}>
      <th scope="row">
        <span className="swarm-table-title">
          <Link to={`/swarms/${id}`} className="swarm-table-name">
            <bdi>{name}</bdi>
          </Link>{' '}
          <OwnerName owner={swarm.user_id} mine={mine} />
          {swarm.public && <Tag>{t.swarms.public}</Tag>}
        </span>
        <bdi className="swarm-table-description">{description}</bdi>
      </th>
      <td className="swarm-table-number numbers">{formatNumber(member_count)}</td>
      <td className="swarm-table-shares">{members && <TypeShares counts={members.machine_type} />}</td>
      <td className="swarm-table-part">
        {mine ? (
          <span className="swarm-table-open numbers">
            <Icon name="send" size={16} />
            {open === 0 ? t.swarms.list.none_open : t.swarms.list.open_invitations(formatNumber(open))}
          </span>
        ) : (
          <OwnRoles own={own} />
        )}
      </td>
      <td className="swarm-table-number swarm-table-age">
        {destroying ? (
          t.swarms.list.deleting
        ) : members?.changed_at ? (
          <Time at={members.changed_at} form="age" />
        ) : (
          t.swarms.list.never
        )}
      </td>
      <td className="swarm-table-actions">
        {destroying ? (
          <UndoInRow id={id} />
        ) : (
          <>
            {mine ? (
              <ButtonLink size="small" to={`/invite?swarm=${id}`} aria-label={t.swarms.list.invite_to(name)}>
                {t.swarms.invite}
              </ButtonLink>
            ) : (
              <ButtonLink size="small" to={`/swarms/${id}`} aria-label={t.swarms.list.open_of(name)}>
                {t.swarms.list.open}
              </ButtonLink>
            )}
            <ButtonLink
              size="small"
              icon="system"
              to={`/swarms/${id}/map`}
              aria-label={t.swarms.list.wall_of(name)}
              title={t.swarms.wall}
            />
          </>
        )}
      </td>
      <td className="swarm-table-second" aria-hidden="true">
        {t.swarms.member_count(member_count)}
        {swarm.public && ` · ${t.swarms.public}`}
      </td>
    </tr>
  );
}

function UndoInRow({ id }: { id: string }) {
  const pending = usePendingActions();
  return (
    <Button look="accent" size="small" onClick={() => pending.undo(destroySwarmKey(id))}>
      {t.swarms.list.undo}
    </Button>
  );
}
