import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../swarm-words.ts';
import type { BoardJob } from './board-job.ts';
import type { BoardActs } from './use-board-acts.tsx';

const text = words.board;

/** What can be done about one invitation, or is being done: undone, sent again, withdrawn, looked at. */
export function BoardRowActs({
  invitation,
  swarm,
  acts,
  phone,
  job,
  tabIndex,
}: {
  invitation: InvitationItem;
  swarm: SwarmItem;
  acts: BoardActs;
  phone: boolean;
  job: BoardJob | undefined;
  tabIndex: 0 | -1;
}) {
  const { id, to, device, resource_id, resource_type, status } = invitation;
  if (job) {
    return (
      <>
        <span className="board-waiting">{text.doing[job.act]}</span>
        {job.state === 'waiting' && (
          <Button
            look="accent"
            size="row"
            tabIndex={tabIndex}
            aria-label={text.undo_of(to)}
            onClick={() => acts.undo(id)}
          >
            {text.undo}
          </Button>
        )}
      </>
    );
  }
  if (status === 'new') {
    const withdraw = () => acts.start('withdraw', [invitation]);
    return (
      <>
        <Button
          look="accent"
          size="row"
          tabIndex={tabIndex}
          sends
          busy={acts.busy === id}
          aria-label={text.send_again_to(to)}
          onClick={() => void acts.sendAgain(invitation)}
        >
          {text.send_again}
        </Button>
        {phone ? (
          <Menu
            label={text.columns.acts}
            items={[{ id: 'withdraw', label: text.withdraw_from(to), onSelect: withdraw }]}
            renderTrigger={(button) => (
              <IconButton icon="more" look="quiet" label={text.acts_of(to)} tabIndex={tabIndex} {...button} />
            )}
          />
        ) : (
          <Button
            look="quiet"
            size="row"
            sends
            tabIndex={tabIndex}
            aria-label={text.withdraw_from(to)}
            onClick={withdraw}
          >
            {text.withdraw}
          </Button>
        )}
      </>
    );
  }
  if (status === 'accepted') {
    if (!device) return null;
    return (
      <ButtonLink
        look="quiet"
        to={`/swarms/${swarm.id}?sel=${resource_id}`}
        aria-label={text.show_of(device.name)}
        size="small"
        tabIndex={tabIndex}
      >
        {text.show}
      </ButtonLink>
    );
  }
  const again = new URLSearchParams({ swarm: swarm.id, to, resource: resource_id, role: resource_type });
  return (
    <ButtonLink
      look="accent"
      size="small"
      tabIndex={tabIndex}
      to={`/invite?${again}`}
      aria-label={text.invite_again_to(to)}
    >
      {text.invite_again}
    </ButtonLink>
  );
}
