import type { ReactNode } from 'react';
import type { InvitationItem, Position } from '@swarmdeck/bff/contract';
import { useNearestCity } from '../../api/places/use-nearest-city.ts';
import { formatPosition, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { RoleChip } from '../../ui/role-chip.tsx';
import { Link } from '../../ui/router.tsx';
import { Time } from '../../ui/time.tsx';
import { TypeBadge } from '../../ui/type-badge.tsx';
import './invitation-facts.css';
import type { Box } from '../../api/query-keys.ts';

/** Sender, swarm, role, device and message of an invitation. */
export function InvitationFacts({ item, box }: { item: InvitationItem; box: Box }) {
  const { swarm, device, resource_type: role, description, status } = item;
  return (
    <dl className="facts">
      <Fact name={t.invitations.facts.swarm}>
        <span className="facts-line">
          <span>
            <Rich
              text={t.invitations.by}
              swarm={
                <Link to={`/swarms/${swarm.id}`} className="facts-name">
                  <Bdi>{swarm.name}</Bdi>
                </Link>
              }
              owner={<Bdi>{swarm.user_id}</Bdi>}
            />
          </span>
          {swarm.public && <span className="facts-pill">{t.invitations.facts.public}</span>}
          <span className="facts-pill numbers">{t.invitations.facts.members(swarm.member_count)}</span>
        </span>
        {swarm.description !== '' && <bdi className="facts-quiet">{swarm.description}</bdi>}
      </Fact>
      <Fact name={t.invitations.facts.role}>
        <span className="facts-line">
          <RoleChip role={role} label={t.shell.roles[role]} />
          {t.invitations.role_does[role]}
        </span>
      </Fact>
      <Fact name={box === 'received' ? t.invitations.facts.your_device : t.invitations.facts.device}>
        {device ? (
          <span className="facts-line">
            <TypeBadge type={device.machine_type} small />
            <Link to={`/devices/${item.resource_id}`} className="facts-name">
              <Bdi>{device.name}</Bdi>
            </Link>
            <span className="facts-muted numbers">
              {t.shell.machine_types[device.machine_type]},{' '}
              {device.position ? <Place position={device.position} /> : t.invitations.facts.no_position}
            </span>
          </span>
        ) : box === 'received' ? (
          <i>{t.invitations.deleted_device}</i>
        ) : (
          <>
            <code className="facts-id">{item.resource_id}</code>
            <span className="facts-quiet">
              {status === 'new' ? t.invitations.facts.not_yours : t.invitations.their_device}
            </span>
          </>
        )}
      </Fact>
      {description !== undefined && description !== '' && (
        <Fact name={t.invitations.facts.message}>
          <span className="facts-message">
            <Rich text={t.invitations.facts.quote} message={<Bdi>{description}</Bdi>} />
          </span>
        </Fact>
      )}
      {status !== 'new' && (
        <Fact name={t.invitations.facts.state}>
          <Rich
            text={t.invitations.facts.on}
            state={t.invitations.done[status]}
            when={<Time at={item.changed_at} form="date_time" />}
          />
        </Fact>
      )}
    </dl>
  );
}

/** The nearest city, or the coordinates until it is known or if there is none. */
function Place({ position }: { position: Position }) {
  const city = useNearestCity(position);
  if (city === null) return <Bdi>{formatPosition(position)}</Bdi>;
  return <Rich text={t.invitations.facts.near} city={<Bdi>{city}</Bdi>} />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
