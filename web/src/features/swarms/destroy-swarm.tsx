import { useQuery } from '@tanstack/react-query';
import { useActionRequests } from '../../data/actions/actions.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { useAudience } from '../../shared/audience/audience.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { managersQuery } from './managers/managers.api.ts';

interface DestroySwarmProps {
  swarm: SwarmItem;
  onClose(): void;
  /** Called when the user has confirmed: the deletion is pending. */
  onDestroy(): void;
}

/** Asks before a swarm is deleted, and lists what ends with it. */
export function DestroySwarm({ swarm, onClose, onDestroy }: DestroySwarmProps) {
  const { start } = useActionRequests();
  const { id, name, member_count } = swarm;
  const { new: open = 0, requests = 0 } = swarm.invitations ?? {};
  const say = t.swarms.delete;
  const audience = useAudience({ swarm_id: id });
  const managers = useQuery(managersQuery(id));
  const asked = managers.data?.filter(({ status, offered_at }) => status === 'asked' || offered_at).length ?? 0;
  const confirm = () => {
    void start({ kind: 'delete_swarm', about: {}, items: [{ id, name }] });
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={say.title} name={<Bdi>{name}</Bdi>} />}
      description={say.text}
      confirm={say.confirm}
      icon="trash"
      onConfirm={confirm}
      onClose={onClose}
    >
      <SectionState
        query={{
          data: managers.data && audience.data?.pages[0]?.items[0],
          error: audience.error ?? (managers.error as Error | null),
          isFetching: audience.isFetching || managers.isFetching,
          refetch: () => Promise.all([audience.refetch(), managers.refetch()]),
        }}
      >
        {({ named, open_links = 0, guest_links = 0 }) => {
          const roles = Map.groupBy(named, ({ role }) => role);
          const managers = roles.get('manager')?.length ?? 0;
          const watchers = roles.get('watcher')?.length ?? 0;
          return (
            <ul className="stack gap-1 dialog-list numbers">
              <li>{say.members(member_count)}</li>
              {managers > 0 && <li>{say.managers(managers)}</li>}
              {watchers > 0 && <li>{say.watchers(watchers)}</li>}
              <li>{say.invitations(open)}</li>
              {requests > 0 && <li>{say.requests(requests)}</li>}
              {asked > 0 && <li>{say.asked(asked)}</li>}
              {open_links > 0 && <li>{say.join_links(open_links)}</li>}
              {guest_links > 0 && <li>{say.guest_links(guest_links)}</li>}
              <li>{say.messages}</li>
              <li>{say.history}</li>
            </ul>
          );
        }}
      </SectionState>
      <p>{say.devices}</p>
    </ConfirmDialog>
  );
}
