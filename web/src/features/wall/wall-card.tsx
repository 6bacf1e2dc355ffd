import type { Device, Member } from '@swarmdeck/bff/contract';
import { useNearestCity } from '../../api/places/places.ts';
import { formatNumber, formatPosition, formatRelative, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Rich } from '../../ui/rich.tsx';
import { RoleSign } from '../../ui/role-chip.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TagList } from '../../ui/tag-list.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../ui/type-badge.tsx';
import { useClock } from '../../ui/time.tsx';
import { serverNow } from '../../api/server-clock.ts';
import type { Stack } from './use-wall.ts';
import './wall-card.css';

const shownSwarms = 2;

/** The selected device: undefined while it loads, null if it no longer exists. */
export function WallCard({
  device,
  swarm_id,
  stack,
}: {
  device: Device | Member | null | undefined;
  /** The swarm whose members the wall shows: listed first. */
  swarm_id: string | undefined;
  stack: Stack | null;
}) {
  return (
    <section className="wall-card" aria-label={t.wall.selected}>
      {device ? <Card device={device} swarm_id={swarm_id} /> : <NoCard gone={device === null} />}
      {stack && stack.total > 1 && <p className="wall-line numbers">{stackText(stack)}</p>}
    </section>
  );
}

function stackText({ at, reachable, total }: Stack): string {
  const all = formatNumber(total);
  if (reachable === total) return t.wall.stack(formatNumber(at), all);
  return t.wall.stack_part(formatNumber(at), formatNumber(reachable), all);
}

function NoCard({ gone }: { gone: boolean }) {
  return (
    <div className="wall-card-head">
      {gone ? (
        <div>
          <h2>{t.wall.gone}</h2>
          <p className="wall-line">{t.wall.gone_text}</p>
        </div>
      ) : (
        <>
          <span className="visually-hidden">{t.wall.loading_device}</span>
          <Skeleton width="32px" height="32px" />
          <Skeleton width="60%" height="14px" />
        </>
      )}
    </div>
  );
}

function Card({ device, swarm_id }: { device: Device | Member; swarm_id: string | undefined }) {
  const now = useClock({ read: serverNow, everyMs: 1000 });
  const city = useNearestCity(device.position);
  const { name, machine_type, user_id, changed_at, position } = device;
  const swarms = device.swarms.toSorted((a, b) => Number(b.id === swarm_id) - Number(a.id === swarm_id));
  const more = swarms.length - shownSwarms;
  return (
    <>
      <div className="wall-card-head">
        <TypeBadge type={machine_type} />
        <div>
          <h2>
            <TruncateMiddle text={name} />
          </h2>
          <p className="wall-line">
            <Rich
              text={t.wall.changed_ago}
              owner={<Bdi>{user_id}</Bdi>}
              age={<span className="numbers">{formatRelative(changed_at, now)}</span>}
            />
          </p>
        </div>
      </div>
      {swarms.length > 0 && (
        <TagList>
          {swarms.slice(0, shownSwarms).map((each) => (
            <li key={each.id}>
              <Bdi>{each.name}</Bdi> · <RoleSign role={each.resource_type} /> {t.shell.roles[each.resource_type]}
            </li>
          ))}
          {more > 0 && <li className="wall-line">{t.wall.more_swarms(formatNumber(more))}</li>}
        </TagList>
      )}
      <p className="wall-card-place numbers">
        <Icon name="device" size={16} />
        {position ? <bdi>{formatPosition(position)}</bdi> : <span className="wall-line">{t.wall.no_position}</span>}
        {city !== null && (
          <span className="wall-line wall-card-city">
            <Rich text={t.wall.near} city={<Bdi>{city}</Bdi>} />
          </span>
        )}
      </p>
    </>
  );
}
