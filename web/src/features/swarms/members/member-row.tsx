import type { KeyboardEvent } from 'react';
import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { endMembershipKey } from '../../../api/end-membership.ts';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.repeat || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onOpen();
  };
  const role = <RoleChip role={member.resource_type} label={t.shell.roles[member.resource_type]} />;
  return (
    <div
      className={`member${selected ? ' member-selected' : ''}${hovered ? ' member-hovered' : ''}`}
      onPointerEnter={(event) => event.pointerType === 'mouse' && onHover(member.id)}
      onPointerLeave={() => onHover(null)}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        data-row={member.id}
        className="member-main"
        aria-current={selected || undefined}
        onClick={onSelect}
        onKeyDown={onKeyDown}
      >
        <TypeBadge type={member.machine_type} small={!phone} />
        <span className="member-device">
          <span className="member-name">
            <TruncateMiddle text={member.name} />
          </span>
          <span className="visually-hidden">, {t.shell.machine_types[member.machine_type]}, </span>
          {phone && (
            <span className="member-second">
              {isLeaving ? (
                t.members.going
              ) : (
                <>
                  {owner} · <Time at={member.changed_at} form="age" />
                </>
              )}
            </span>
          )}
        </span>
        {!phone && (
          <>
            <span className={mine ? 'member-owner member-mine' : 'member-owner'}>
              {isLeaving ? t.members.going : owner}
            </span>
            <span className="member-role">{role}</span>
            <span className="member-age">
              <Time at={member.changed_at} form="age" />
            </span>
          </>
        )}
        {phone && role}
      </button>
      {isLeaving ? (
        <Button look="accent" size="row" onClick={() => pending.undo(pendingKey)}>
          {t.members.undo}
        </Button>
      ) : (
        <MemberMenu {...{ member, swarm, mine, onOpen }} tabIndex={tabIndex} />
      )}
    </div>
  );
}
