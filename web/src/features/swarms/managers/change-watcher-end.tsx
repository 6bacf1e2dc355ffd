import { send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { ChangeEnd, PresentEnd } from '../../../shared/ends/change-end.tsx';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface WatcherEndProps {
  swarm_id: string;
  /** The watcher. */
  user_id: string;
  ends_at: string | undefined;
  onClose(): void;
}

const pathOf = ({ swarm_id, user_id }: WatcherEndProps) =>
  pathTo('/api/swarms/:id/managers/:user_id', { id: swarm_id, user_id });
const changed = (swarm_id: string) => ({ type: 'manager.changed', data: { swarm_id } }) as const;

/** The end of the role of a watcher: the owner of the swarm sets any, the watcher only an earlier one. */
export function ChangeWatcherEnd({ isMine = false, ...watcher }: WatcherEndProps & { isMine?: boolean }) {
  const { swarm_id, user_id, ends_at, onClose } = watcher;
  const name = <Bdi>{user_id}</Bdi>;
  return (
    <ChangeEnd
      title={isMine ? t.ends.watching : <Rich text={t.ends.watcher} name={name} />}
      text={
        <>
          <PresentEnd ends_at={ends_at} />{' '}
          {isMine ? t.ends.hints.agree : <Rich text={t.ends.watcher_owner} name={name} />}
        </>
      }
      isRemovable={!isMine && ends_at !== undefined}
      latest={isMine ? ends_at : undefined}
      send={(end) => send({ method: 'PUT', path: `${pathOf(watcher)}/end`, body: { ends_at: end } })}
      change={changed(swarm_id)}
      onClose={onClose}
    />
  );
}

interface AgreeUntilProps extends WatcherEndProps {
  /** Its name. */
  swarm: string;
  onAgreed(): void;
}

/** Agrees to watch until a time. `ends_at`: what is offered. */
export function AgreeUntil({ swarm, onAgreed, ...watcher }: AgreeUntilProps) {
  const { swarm_id, ends_at, onClose } = watcher;
  return (
    <ChangeEnd
      title={<Rich text={t.ends.agree_title} swarm={<Bdi>{swarm}</Bdi>} />}
      text={t.ends.hints.agree}
      submit={t.managers.agree}
      latest={ends_at}
      send={async (end) => {
        await send({ method: 'PUT', path: pathOf(watcher), body: { status: 'agreed', ends_at: end } });
        onAgreed();
      }}
      change={changed(swarm_id)}
      onClose={onClose}
    />
  );
}
