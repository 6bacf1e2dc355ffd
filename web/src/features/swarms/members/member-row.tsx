import type { ReactNode } from 'react';
import type { ActionKind, Member } from '@swarmdeck/bff/contract';
import { membershipTarget } from '../../../data/cache/memberships.ts';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { membershipChange } from '../../../shared/membership-change.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { RowValue } from '../../../shared/values/row-value.tsx';
import { t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/buttons/button.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { PresenceAge } from '../../../ui/symbols/presence.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Row, RowWords } from '../../../ui/lists/row.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { useIsHovered } from '../../../ui/lists/use-hover.ts';
import { useMembers } from './members-state.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useShownValue } from './use-member-filters.ts';
import { useOpenMember } from './use-selected-member.ts';

const MemberMenu = lazyPart(async () => (await import('./selected-member-commands.tsx')).MemberMenu, {
  Fallback: LoadingMenu,
});

export interface MemberRowProps {
  member: Member;
  tabIndex: 0 | -1;
}

interface MemberRowFrameProps extends MemberRowProps {
  /** What happens to the member. */
  change: ReturnType<typeof useUndoableChange>;
  /** The symbol is small. */
  small?: boolean;
  /** Below the name. */
  meta?: ReactNode;
  /** The cells between the name and the actions. */
  cells: ReactNode;
}

/** What the rows of a desk and of a phone have in common: the checkbox, the name, and the actions. */
export function MemberRowFrame({ member, tabIndex, change, small = false, meta, cells }: MemberRowFrameProps) {
  const { id, name, machine_type, presence } = member;
  const { member: selected, show } = useMembers('selected');
  const { checked, check } = useMembers('selection');
  const { set: onHover } = useMembers('hover');
  const open = useOpenMember();
  return (
    <Row
      id={id}
      tabIndex={tabIndex}
      state={selected?.id === id && 'selected'}
      hovered={useIsHovered(useMembers('hover'), id)}
      className="row-button member"
      selection={{
        label: <Rich text={t.devices.selection.select} name={<Bdi>{name}</Bdi>} />,
        isChecked: checked.has(id),
        isActive: checked.isActive,
        toggle: (range) => check.toggle(id, range),
      }}
      cells={cells}
      actions={change ? <UndoButton pending={change.pending} /> : <MemberMenu member={member} tabIndex={tabIndex} />}
      onSelect={() => show(member)}
      onOpen={() => open(member)}
      onHover={onHover}
    >
      <RowWords
        leading={<TypeBadge type={machine_type} small={small} presence={presence.state} />}
        title={<TruncateMiddle text={name} />}
        name={t.shell.machine_types[machine_type]}
        meta={meta}
      />
    </Row>
  );
}

/** Keeps its place. */
function LoadingMenu({ member }: MemberRowProps) {
  return <IconButton icon="more" look="quiet" label={t.members.actions_of(member.name)} disabled />;
}

export function RoleCell({ member: { resource_type } }: { member: Member }) {
  return (
    <span role="cell">
      <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
    </span>
  );
}

/** The value that is shown of each member, or when it was heard. */
export function MemberValue({ member: { presence, values } }: { member: Member }) {
  const { valueKey } = useShownValue();
  return valueKey === undefined ? (
    <PresenceAge presence={presence} />
  ) : (
    <RowValue values={values} valueKey={valueKey} />
  );
}

/** What a row says of a member: whose it is, and what happens to it and can be undone. */
export function useMemberRow(member: Member) {
  const isMine = useIsMine(member);
  const change = useUndoableChange(member);
  return { isMine, change, owner: change?.text ?? (isMine ? t.swarms.you : <Bdi>{member.user_id}</Bdi>) };
}

function useIsMine({ user_id }: Member): boolean {
  return user_id === useShownSwarm().user_id;
}

const undoableKinds: readonly ActionKind[] = ['narrow_role', 'remove_member', 'extend_member'];

/** What happens to a member and can be undone: its text replaces the owner. */
function useUndoableChange(member: Member) {
  const { swarm } = useShownSwarm();
  const isMine = useIsMine(member);
  const pending = usePending(membershipTarget({ swarm_id: swarm.id, resource_id: member.id }));
  if (!pending || !undoableKinds.includes(pending.action.kind)) return undefined;
  return { pending, text: membershipChange(pending.action, { leaves: isMine && swarm.relation !== 'owner' }) };
}
