import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Member, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { endMembership, endMembershipKey } from '../../../api/memberships.ts';
import { useUndoableMutation } from '../../../api/pending-actions.ts';
import { LeaveSwarm } from '../../../bulk/leave-swarm.tsx';
import { t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuItem } from '../../../ui/menu.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useErrorToast, useToasts } from '../../../ui/toast.tsx';
import { memberActs } from './member-filters.ts';
import { useChangeRole } from './members.api.ts';

/** The actions that the user may take on a member. */
export function MemberMenu({
  member,
  swarm,
  mine,
  tabIndex,
  onOpen,
}: {
  member: Member;
  swarm: SwarmItem;
  mine: boolean;
  tabIndex: 0 | -1;
  onOpen(): void;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const showError = useErrorToast();
  const changeRole = useChangeRole();
  const { id, name } = member;
  const at = { swarm_id: swarm.id, resource_id: id };
  const roles = t.shell.roles_in_sentences;
  const acts = memberActs({ role: member.resource_type, mine, owner: swarm.relation === 'owner' });

  const take = (role: MemberRole) =>
    changeRole.mutate(
      { ...at, resource_type: role },
      {
        onSuccess: () =>
          toasts.show({
            title: <Rich text={t.members.role_changed} name={<Bdi>{name}</Bdi>} role={roles[role]} />,
            icon: 'check',
          }),
        onError: (error) => showError(error, t.members.role_failed),
      },
    );
  const [isAsking, setAsking] = useState(false);
  const leaves = mine && swarm.relation !== 'owner';
  const names = { name: <Bdi>{name}</Bdi>, swarm: <Bdi>{swarm.name}</Bdi> };
  const end = useUndoableMutation({
    key: endMembershipKey(at),
    label: <Rich text={leaves ? t.members.leave.pending : t.members.removing} {...names} />,
    doneLabel: <Rich text={leaves ? t.members.leave.done : t.members.removed} {...names} />,
    mutationFn: (_none, { keepalive }) => endMembership({ client, membership: at, keepalive }),
    onError: (error) => showError(error, t.members.failed),
  });

  const items: MenuItem[] = [
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
    ...acts.make.map((role) => ({
      id: `make-${role}`,
      label: t.members.make(roles[role]),
      onSelect: () => take(role),
    })),
    ...acts.narrow.map((role) => ({
      id: `narrow-${role}`,
      label: t.members.only(roles[role]),
      onSelect: () => take(role),
    })),
  ];
  if (acts.invite) {
    const to = `/invite?${new URLSearchParams({ swarm: swarm.id, to: member.user_id, resource: id, role: acts.invite })}`;
    items.push({
      id: 'invite',
      label: t.members.invite_as(roles[acts.invite]),
      icon: 'send',
      onSelect: () => void navigate(to),
    });
  }
  if (acts.remove) {
    const [label, onSelect] = leaves
      ? [t.members.leave.menu, () => setAsking(true)]
      : [t.members.remove, () => end.mutate()];
    items.push({ id: 'end', label, icon: 'trash', danger: true, onSelect });
  }
  return (
    <>
      <Menu
        label={t.members.actions_of(name)}
        items={items}
        renderTrigger={(button) => (
          <IconButton icon="more" look="quiet" label={t.members.actions_of(name)} {...button} tabIndex={tabIndex} />
        )}
      />
      {isAsking && (
        <LeaveSwarm swarm={swarm} device={member} onLeave={() => end.mutate()} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
