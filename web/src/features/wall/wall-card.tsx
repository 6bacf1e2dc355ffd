import type { Device, Member } from '@swarmdeck/bff/contract';
import { useNearestCity } from '../../data/places/places.ts';
import { formatNumber, formatPosition, formatRelative, t } from '../../text/text.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { CardHead, CardPlace, SwarmTags } from '../../ui/card.tsx';
import { PositionFacts } from '../../ui/position-facts.tsx';
import { PresenceText } from '../../ui/presence.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TrackSlider } from '../../ui/track-slider.tsx';
import { TypeBadge } from '../../ui/type-badge.tsx';
import { useClock } from '../../ui/time.tsx';
import { serverNow } from '../../data/server-clock.ts';
import type { Stack, WallState } from './use-wall.ts';

interface WallCardProps {
  wall: WallState;
  /** The swarm whose members the wall shows: listed first. */
  swarm_id: string | undefined;
}

/** The selected device. */
export function WallCard({ wall: { device, stack, track, closeCard: onClose }, swarm_id }: WallCardProps) {
  return (
    <section className="stack gap-3 wall-card" aria-label={t.wall.selected}>
      {device ? (
        <Card device={device} swarm_id={swarm_id} onClose={onClose} />
      ) : (
        <NoCard isMissing={device === null} onClose={onClose} />
      )}
      {device && track && <TrackSlider {...track} />}
      {stack && stack.total > 1 && <p className="quiet numbers">{stackText(stack)}</p>}
    </section>
  );
}

function stackText({ at, reachable, total }: Stack): string {
  const all = formatNumber(total);
  if (reachable === total) return t.wall.stack(formatNumber(at), all);
  return t.wall.stack_part(formatNumber(at), formatNumber(reachable), all);
}

function NoCard({ isMissing, onClose }: { isMissing: boolean; onClose(): void }) {
  const close = <Close onClose={onClose} />;
  if (isMissing) {
    return (
      <CardHead title={t.wall.no_device} line={t.wall.no_device_text}>
        {close}
      </CardHead>
    );
  }
  return (
    <div className="line gap-3">
      <span className="visually-hidden">{t.wall.loading_device}</span>
      <Skeleton width="32px" height="32px" />
      <Skeleton width="60%" height="14px" />
      {close}
    </div>
  );
}

function Close({ onClose }: { onClose(): void }) {
  return <IconButton icon="close" look="quiet" label={t.shell.kit.close} onClick={onClose} />;
}

interface CardProps {
  device: Device | Member;
  swarm_id: string | undefined;
  onClose(): void;
}

function Card({ device, swarm_id, onClose }: CardProps) {
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const city = useNearestCity(device.position);
  const { name, machine_type, user_id, changed_at, position, presence } = device;
  const swarms = device.swarms.toSorted((a, b) => Number(b.id === swarm_id) - Number(a.id === swarm_id));
  return (
    <>
      <CardHead
        badge={<TypeBadge type={machine_type} presence={presence.state} />}
        title={<bdi>{name}</bdi>}
        line={
          <>
            <bdi className="one-line">{user_id}</bdi>
            <span className="numbers">
              {presence.state === 'never' ? (
                t.wall.changed_ago(formatRelative(changed_at, now))
              ) : (
                <PresenceText presence={presence} />
              )}
            </span>
          </>
        }
      >
        <Close onClose={onClose} />
      </CardHead>
      <SwarmTags swarms={swarms} more={(count) => t.wall.more_swarms(formatNumber(count))} />
      <CardPlace city={city}>
        {position ? <bdi>{formatPosition(position)}</bdi> : <span className="quiet">{t.wall.no_position}</span>}
      </CardPlace>
      <PositionFacts {...device} />
      <div className="wall-card-foot">
        <ButtonLink size="small" to={`/devices/${device.id}`}>
          {t.wall.open}
        </ButtonLink>
      </div>
    </>
  );
}
