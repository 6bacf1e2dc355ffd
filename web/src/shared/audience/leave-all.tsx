import { useQuery } from '@tanstack/react-query';
import { useActionRequests } from '../../data/actions/actions.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { SectionState } from '../section-state.tsx';
import { ownMembersFilter, ownMembersQuery } from './audience.api.ts';

/** Asks before all devices of the user leave a swarm, once it is known how many. */
export function LeaveAll({ swarm, onClose }: { swarm: { id: string; name: string }; onClose(): void }) {
  const { start } = useActionRequests();
  const query = useQuery(ownMembersQuery(swarm.id));
  const { total = 0, items: [first] = [] } = query.data ?? {};
  const leave = () => {
    onClose();
    const about = { swarm: { id: swarm.id, name: swarm.name } };
    void start(
      total === 1 && first
        ? { kind: 'remove_member', about, items: [{ id: first.id, name: first.name }] }
        : { kind: 'remove_member', about, items: [], filter: ownMembersFilter(swarm.id), expected: total },
    );
  };
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={<Rich text={t.members.leave.title} swarm={<Bdi>{swarm.name}</Bdi>} />}
      onClose={onClose}
      footer={
        <>
          {total > 0 && (
            <Button look="danger-primary" sends onClick={leave}>
              {t.members.leave.action}
            </Button>
          )}
          <Button data-autofocus onClick={onClose}>
            {query.data && total === 0 ? t.shell.kit.close : t.shell.kit.cancel}
          </Button>
        </>
      }
    >
      <SectionState query={query}>
        {() => <p>{total === 0 ? t.audience.leave_none : t.audience.leave_text(total)}</p>}
      </SectionState>
    </Dialog>
  );
}
