import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { ChangeEnd, PresentEnd } from '../../../shared/ends/change-end.tsx';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface ChangeMemberEndProps {
  swarm: SwarmItem;
  member: Member;
  isMine: boolean;
  onClose(): void;
}

/** The end of a membership: the owner of the device may also extend it, as far as the swarm offers; the other side only shortens it. */
export function ChangeMemberEnd({ swarm, member, isMine, onClose }: ChangeMemberEndProps) {
  const { id, name, user_id, ends_at, ends_at_most } = member;
  const texts = t.ends;
  const path = pathTo('/api/swarms/:id/resources/:resource_id', { id: swarm.id, resource_id: id });
  const inSwarm = { swarm: <Bdi>{swarm.name}</Bdi> };
  return (
    <ChangeEnd
      title={<Rich text={texts.member} name={<Bdi>{name}</Bdi>} />}
      text={
        <>
          <PresentEnd ends_at={ends_at} />{' '}
          <Rich
            text={isMine ? texts.member_own : texts.member_other}
            {...inSwarm}
            {...(!isMine && { owner: <Bdi>{user_id}</Bdi> })}
          />
          {isMine && ends_at_most !== undefined && (
            <>
              {' '}
              <Rich text={texts.member_latest} {...inSwarm} date={<EndTime at={ends_at_most} />} />
            </>
          )}
        </>
      }
      isRemovable={isMine && ends_at !== undefined && ends_at_most === undefined}
      latest={isMine ? ends_at_most : ends_at}
      send={(end) => send({ method: 'PUT', path, body: { ends_at: end } })}
      change={{ type: 'membership.changed', data: { swarm_id: swarm.id, resource_id: id } }}
      onClose={onClose}
    />
  );
}
