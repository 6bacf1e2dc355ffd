import type { Device, Member } from '@swarmdeck/bff/contract';
import { useNearestCity } from '../../data/places/places.ts';
import { formatPosition } from '../../text/formats.ts';
import { formatNumber, formatRelative, t } from '../../text/text.ts';
import { ButtonLink, IconButton } from '../../ui/buttons/button.tsx';
import { CardHead, CardPlace, NoCard, SwarmTags } from '../../ui/pages/card.tsx';
import { LastValues } from '../../shared/values/last-values.tsx';
import { PositionFacts } from '../../ui/symbols/position-facts.tsx';
import { PresenceText } from '../../ui/symbols/presence.tsx';
import { TrackSlider } from '../../ui/symbols/track-slider.tsx';
import { TypeBadge } from '../../ui/symbols/type-badge.tsx';
import { useClock } from '../../ui/texts/time.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { serverNow } from '../../data/server-clock.ts';
import { type Stack } from './use-wall-device.ts';
import { useWall } from './wall-state.ts';

/** The selected device. */
export function WallCard() {
  const { device, stack, track } = useWall('device');
  const gone = { title: t.wall.no_device, text: t.wall.no_device_text };
  return (
    <section className="stack gap-3 wall-card" aria-label={t.wall.selected}>
      {device ? (
        <Card device={device} />
      ) : (
        <NoCard gone={device === null ? gone : null} loading={t.wall.loading_device}>
          <Close />
        </NoCard>
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

function Close() {
  return <IconButton icon="close" look="quiet" label={t.shell.kit.close} onClick={useWall('device').close} />;
}

function Card({ device }: { device: Device | Member }) {
  // The swarm whose members the wall shows is listed first.
  const swarm_id = useWall('place').swarm?.id;
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const city = useNearestCity(device.position);
  const { name, machine_type, user_id, changed_at, position, presence } = device;
  const swarms = device.swarms.toSorted((a, b) => Number(b.id === swarm_id) - Number(a.id === swarm_id));
  return (
    <>
      <CardHead
        badge={<TypeBadge type={machine_type} presence={presence.state} />}
        title={<Bdi>{name}</Bdi>}
        line={
          <>
            <Bdi className="one-line">{user_id}</Bdi>
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
        <Close />
      </CardHead>
      <SwarmTags swarms={swarms} more={(count) => t.wall.more_swarms(formatNumber(count))} />
      <CardPlace city={city}>
        {position ? <Bdi>{formatPosition(position)}</Bdi> : <span className="quiet">{t.wall.no_position}</span>}
      </CardPlace>
      <PositionFacts {...device} />
      <LastValues key={device.id} resource_id={device.id} />
      <div className="wall-card-foot">
        <ButtonLink size="small" to={`/devices/${device.id}`}>
          {t.wall.open}
        </ButtonLink>
      </div>
    </>
  );
}
