import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { endMembershipKey } from '../../../api/end-membership.ts';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Row } from '../../../ui/row.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { MemberMenu } from './member-menu.tsx';

export function MemberRow({
  member,
  swarm,
  user_id,
  phone,
  tabIndex,
  selected,
  hovered,
  onSelect,
  onOpen,
  onHover,
}: {
  member: Member;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  tabIndex: 0 | -1;
  selected: boolean;
  hovered: boolean;
  onSelect(): void;
  onOpen(): void;
  onHover(id: string | null): void;
}) {
  const pendingKey = endMembershipKey({ swarm_id: swarm.id, resource_id: member.id });
  const isLeaving = usePendingPhase(pendingKey) !== undefined;
  const pending = usePendingActions();
  const mine = member.user_id === user_id;
  const owner = mine ? t.swarms.you : <Bdi>{member.user_id}</Bdi>;
  const role = <RoleChip role={member.resource_type} label={t.shell.roles[member.resource_type]} />;
  const age = <Time at={member.changed_at} form="age" />;
  return (
    <Row
      id={member.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      hovered={hovered}
      className="member"
      leading={<TypeBadge type={member.machine_type} small={!phone} />}
      title={<TruncateMiddle text={member.name} />}
      name={t.shell.machine_types[member.machine_type]}
      meta={
        phone &&
        (isLeaving ? (
          t.members.going
        ) : (
          <>
            {owner} · {age}
          </>
        ))
      }
      cells={
        phone ? (
          role
        ) : (
          <>
            <span className={mine ? 'member-owner member-mine' : 'member-owner'}>
              {isLeaving ? t.members.going : owner}
            </span>
            <span>{role}</span>
            <span className="member-age">{age}</span>
          </>
        )
      }
      actions={
        isLeaving ? (
          <Button look="accent" size="row" onClick={() => pending.undo(pendingKey)}>
            {t.members.undo}
          </Button>
        ) : (
          <MemberMenu {...{ member, swarm, mine, onOpen }} tabIndex={tabIndex} />
        )
      }
      onSelect={onSelect}
      onOpen={onOpen}
      onHover={onHover}
    />
  );
}
