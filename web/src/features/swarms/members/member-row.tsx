import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { membershipTarget } from '../../../data/cache/memberships.ts';
import { usePending } from '../../../data/actions/shown-actions.ts';
import type { RowCommand } from '../../../bulk/commands.tsx';
import { membershipChange } from '../../../shared/membership-change.ts';
import { RowMenu } from '../../../bulk/row-menu.tsx';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { t } from '../../../text/text.ts';
import { PresenceAge } from '../../../ui/presence.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Row } from '../../../ui/row.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import type { MemberSelection } from './use-member-selection.ts';

interface MemberRowProps {
  member: Member;
  swarm: SwarmItem;
  user_id: string;
  phone: boolean;
  tabIndex: 0 | -1;
  selected: boolean;
  hovered: boolean;
  selection: MemberSelection;
  commands: readonly RowCommand<Member>[];
  onSelect(): void;
  onOpen(): void;
  onHover(id: string | null): void;
}

export function MemberRow({
  member,
  swarm,
  user_id,
  phone,
  tabIndex,
  selected,
  hovered,
  selection,
  commands,
  onSelect,
  onOpen,
  onHover,
}: MemberRowProps) {
  const pending = usePending(membershipTarget({ swarm_id: swarm.id, resource_id: member.id }));
  const isUndoable = pending?.action.kind === 'narrow_role' || pending?.action.kind === 'remove_member';
  const mine = member.user_id === user_id;
  const changing = pending && membershipChange(pending.action, { leaves: mine && swarm.relation !== 'owner' });
  const owner = mine ? t.swarms.you : <Bdi>{member.user_id}</Bdi>;
  const role = <RoleChip role={member.resource_type} label={t.shell.roles[member.resource_type]} />;
  const age = <PresenceAge presence={member.presence} />;
  return (
    <Row
      id={member.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      hovered={hovered}
      className="row-button member"
      selection={{
        label: <Rich text={t.devices.selection.select} name={<Bdi>{member.name}</Bdi>} />,
        isChecked: selection.has(member.id),
        isActive: selection.isActive,
        toggle: (range) => selection.toggle(member.id, range),
      }}
      leading={<TypeBadge type={member.machine_type} small={!phone} presence={member.presence.state} />}
      title={<TruncateMiddle text={member.name} />}
      name={t.shell.machine_types[member.machine_type]}
      meta={
        phone &&
        (isUndoable ? (
          changing
        ) : (
          <span className="ends-visible">
            <span>{owner}</span> · {age}
          </span>
        ))
      }
      cells={
        <>
          {!phone && (
            <span
              role="cell"
              className={mine ? 'muted member-owner one-line member-mine' : 'muted member-owner one-line'}
            >
              {isUndoable ? changing : owner}
            </span>
          )}
          <span role="cell">{role}</span>
          {!phone && (
            <span role="cell" className="muted member-age">
              {age}
            </span>
          )}
        </>
      }
      actions={
        isUndoable ? (
          <UndoButton pending={pending} />
        ) : (
          <RowMenu {...{ commands, tabIndex }} item={member} label={t.members.actions_of(member.name)} />
        )
      }
      onSelect={onSelect}
      onOpen={onOpen}
      onHover={onHover}
    />
  );
}
