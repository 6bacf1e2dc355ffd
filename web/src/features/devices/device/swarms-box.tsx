import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Resource, Swarm } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button, IconButton } from '../../../ui/buttons/button.tsx';
import { LoadFailedNote } from '../../../ui/pages/load-failed.tsx';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { Skeleton } from '../../../ui/pages/skeleton.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { deviceSwarmsQuery } from '../device.api.ts';
import { membershipTarget } from '../../../data/cache/memberships.ts';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { LeaveSwarm } from '../../../shared/leave-one-swarm.tsx';
import { membershipChange } from '../../../shared/membership-change.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { usePending } from '../../../data/actions/shown-actions.ts';
import '../../../ui/texts/name-link.css';

const AddToSwarm = lazyPart(async () => (await import('../bulk/device-selection-menu.tsx')).AddToSwarm);

/** The swarms of the user's own device, with owner and role. */
export function SwarmsBox({ resource, user_id }: { resource: Resource; user_id: string }) {
  const [isAdding, setIsAdding] = useState(false);
  const swarms = useQuery(deviceSwarmsQuery(resource.id));
  // The device may have joined one since the last response.
  const known = swarms.isError && swarms.data?.length === 0 ? undefined : swarms.data;
  return (
    <Box title={t.device.page.swarms} count={known && formatNumber(known.length)}>
      {swarms.isPending && (
        <div className="box-row">
          <Skeleton width="40%" />
        </div>
      )}
      {swarms.isError && <LoadFailedNote className="box-row" query={swarms} />}
      {known?.length === 0 && <p className="box-row quiet">{t.device.page.no_swarms}</p>}
      <ul>
        {known?.map((swarm) => (
          <SwarmRow key={swarm.id} swarm={swarm} resource={resource} user_id={user_id} />
        ))}
      </ul>
      <div className="box-row">
        <Button look="accent" size="row" icon="plus" onClick={() => setIsAdding(true)}>
          {t.device.page.add_to_swarm}
        </Button>
      </div>
      {isAdding && <AddToSwarm id={resource.id} onClose={() => setIsAdding(false)} />}
    </Box>
  );
}

function SwarmRow({ swarm, resource, user_id }: { swarm: Swarm; resource: Resource; user_id: string }) {
  const { resource_type: role, ends_at } = swarm.resources.find((member) => member.resource_id === resource.id) ?? {};
  const members = t.device.page.members(swarm.resources.length);
  const owner = swarm.user_id === user_id ? t.device.page.by_you : <Bdi>{swarm.user_id}</Bdi>;
  return (
    <li className="box-row">
      <div className="box-row-words">
        <Link to={`/swarms/${swarm.id}`} className="name-link box-row-title one-line">
          <Bdi>{swarm.name}</Bdi>
        </Link>
        <span className="quiet">
          <Rich text={t.device.page.swarm_by(members)} owner={owner} />
          {ends_at !== undefined && (
            <>
              {' · '}
              <UntilDate at={ends_at} />
            </>
          )}
        </span>
      </div>
      {role && <RoleChip role={role} label={t.shell.roles[role]} />}
      <MemberButtons swarm={swarm} resource={resource} leaves={swarm.user_id !== user_id} hasBoth={role === 'both'} />
    </li>
  );
}

interface MemberButtonsProps {
  swarm: Swarm;
  resource: Resource;
  leaves: boolean;
  hasBoth: boolean;
}

/**
 * The user's own device leaves another user's swarm, or is removed from an own one; or it gives up one of two roles. It can
 * be undone.
 */
function MemberButtons({ swarm, resource, leaves, hasBoth }: MemberButtonsProps) {
  const { start } = useActionRequests();
  const texts = t.device.remove_from_swarm;
  const { leave } = t.members;
  const [isAsking, setAsking] = useState(false);
  const pending = usePending(membershipTarget({ swarm_id: swarm.id, resource_id: resource.id }));
  const about = { swarm: { id: swarm.id, name: swarm.name } };
  const items = [{ id: resource.id, name: resource.name }];
  const remove = () => void start({ kind: 'remove_member', about, items });
  if (pending) {
    return (
      <>
        <span className="box-quiet">{membershipChange(pending.action, { leaves })}</span>
        <UndoButton pending={pending} />
      </>
    );
  }
  return (
    <>
      {hasBoth && (
        <Menu
          label={t.members.role_of(swarm.name)}
          items={(['producer', 'consumer'] as const).map((role) => ({
            id: role,
            label: t.members.only(t.roles_in_sentences[role]),
            onSelect: () => void start({ kind: 'narrow_role', about: { ...about, resource_type: role }, items }),
          }))}
          renderTrigger={(button) => (
            <IconButton icon="edit" look="quiet" label={t.members.role_of(swarm.name)} {...button} />
          )}
        />
      )}
      <Button
        look="quiet"
        size="row"
        aria-label={leaves ? leave.of(swarm.name) : texts.remove_of(swarm.name)}
        onClick={() => (leaves ? setAsking(true) : remove())}
      >
        {leaves ? leave.action : texts.remove}
      </Button>
      {isAsking && <LeaveSwarm swarm={swarm} device={resource} onConfirm={remove} onClose={() => setAsking(false)} />}
    </>
  );
}
