import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Member, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuItem } from '../../../ui/menu.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { words } from '../swarm-words.ts';
import { endMembership, useChangeRole } from '../swarm-writes.api.ts';
import { useRefused } from '../use-refused.ts';
import { endKey } from '../waiting-keys.ts';
import { memberActs } from './member-filters.ts';

const text = words.members;

/** What may be done with a member by whoever looks at it. */
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
  const waiting = useWaiting();
  const toasts = useToasts();
  const refused = useRefused();
  const changeRole = useChangeRole();
  const { id, name } = member;
  const at = { swarm_id: swarm.id, resource_id: id };
  const acts = memberActs({ role: member.resource_type, mine, owner: swarm.relation === 'owner' });

  const take = (role: MemberRole) =>
    changeRole.mutate(
      { ...at, resource_type: role },
      {
        onSuccess: () => toasts.show({ title: text.role_changed(name, t.shell.roles[role]), icon: 'check' }),
        onError: (error) => refused(text.role_refused, error),
      },
    );
  const end = () =>
    waiting.add({
      key: endKey(at),
      label: (
        <Rich
          text={acts.end === 'leave' ? text.leaving : text.removing}
          name={<Bdi>{name}</Bdi>}
          swarm={<Bdi>{swarm.name}</Bdi>}
        />
      ),
      send: ({ keepalive }) => endMembership({ client, member: at, keepalive }),
      onRefused: (error) => refused(text.refused, error),
    });

  const items: MenuItem[] = [
    { id: 'open', label: text.open, icon: 'device', onSelect: onOpen },
    ...acts.make.map((role) => ({
      id: `make-${role}`,
      label: text.make(t.shell.roles[role]),
      onSelect: () => take(role),
    })),
    ...acts.narrow.map((role) => ({
      id: `narrow-${role}`,
      label: text.only(t.shell.roles[role]),
      onSelect: () => take(role),
    })),
  ];
  if (acts.invite) {
    const to = `/invite?${new URLSearchParams({ swarm: swarm.id, to: member.user_id, resource: id, role: acts.invite })}`;
    items.push({
      id: 'invite',
      label: text.invite_as(t.shell.roles[acts.invite]),
      icon: 'send',
      onSelect: () => void navigate(to),
    });
  }
  if (acts.end) items.push({ id: 'end', label: text[acts.end], icon: 'trash', danger: true, onSelect: end });
  return (
    <Menu
      label={text.acts_of(name)}
      items={items}
      renderTrigger={(button) => (
        <IconButton icon="more" look="quiet" label={text.acts_of(name)} {...button} tabIndex={tabIndex} />
      )}
    />
  );
}
