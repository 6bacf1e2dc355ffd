import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Member, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../api/actions.ts';
import { LeaveSwarm } from '../../../bulk/leave-one-swarm.tsx';
import { t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { actionsOnMember } from '../swarm-rights.ts';

interface MemberMenuProps {
  member: Member;
  swarm: SwarmItem;
  mine: boolean;
  tabIndex: 0 | -1;
  onOpen(): void;
}

/** The actions that the user may take on a member. */
export function MemberMenu({ member, swarm, mine, tabIndex, onOpen }: MemberMenuProps) {
  const navigate = useNavigate();
  const { start } = useActionRequests();
  const { id, name } = member;
  const roles = t.roles_in_sentences;
  const actions = actionsOnMember({ swarm, member, mine });

  const about = { swarm: { id: swarm.id, name: swarm.name } };
  const items = [{ id, name }];
  const take = (resource_type: MemberRole) =>
    void start({ kind: 'change_role', about: { ...about, resource_type }, items });
  const remove = () => void start({ kind: 'remove_member', about, items });
  const [isAsking, setAsking] = useState(false);
  const leaves = mine && swarm.relation !== 'owner';
  const entries: MenuItem[] = [
    { id: 'open', label: t.members.open, icon: 'device', onSelect: onOpen },
    ...(mine && !member.position
      ? [
          {
            id: 'place',
            label: t.device.card.place,
            icon: 'device' as const,
            onSelect: () => void navigate(`/?sel=${id}`, { state: { place: member } }),
          },
        ]
      : []),
    ...actions.changeTo.map((role) => ({
      id: `make-${role}`,
      label: t.members.make(roles[role]),
      onSelect: () => take(role),
    })),
    ...actions.reduceTo.map((role) => ({
      id: `reduce-${role}`,
      label: t.members.only(roles[role]),
      onSelect: () => void start({ kind: 'narrow_role', about: { ...about, resource_type: role }, items }),
    })),
  ];
  if (actions.invite) {
    const to = `/invite?${new URLSearchParams({ swarm: swarm.id, to: member.user_id, resource: id, role: actions.invite })}`;
    entries.push({
      id: 'invite',
      label: t.members.invite_as(roles[actions.invite]),
      icon: 'send',
      onSelect: () => void navigate(to),
    });
  }
  if (actions.remove) {
    const [label, onSelect] = leaves ? [t.members.leave.menu, () => setAsking(true)] : [t.members.remove, remove];
    entries.push({ id: 'end', label, icon: 'trash', danger: true, onSelect });
  }
  return (
    <>
      <Menu
        label={t.members.actions_of(name)}
        items={entries}
        renderTrigger={(button) => (
          <IconButton icon="more" look="quiet" label={t.members.actions_of(name)} {...button} tabIndex={tabIndex} />
        )}
      />
      {isAsking && <LeaveSwarm swarm={swarm} device={member} onLeave={remove} onClose={() => setAsking(false)} />}
    </>
  );
}
