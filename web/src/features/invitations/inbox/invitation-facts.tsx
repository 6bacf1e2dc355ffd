import type { ReactNode } from 'react';
import type { InvitationItem, Position } from '@swarmdeck/bff/contract';
import type { Mailbox } from '../../../data/cache/query-keys.ts';
import { ItemEnd } from '../item-end.tsx';
import { stateText } from '../invitations.api.ts';
import { useNearestCity } from '../../../data/places/places.ts';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { formatPosition } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import './invitation-facts.css';

interface FactsProps {
  item: InvitationItem;
  box: Mailbox;
  /** Another device in the list has the same name. */
  isNamesake?: boolean;
}

/** The device is the user's own. */
const isOwnDevice = ({ item, box }: FactsProps) => (box === 'received') !== (item.is_request ?? false);

/** Swarm, role, device, message and state of an invitation. */
export function InvitationFacts(props: FactsProps) {
  const { resource_type: role, description, is_request, joined_by, status, is_later_end } = props.item;
  const { facts } = t.invitations;
  return (
    <dl className="stack gap-3">
      <Fact name={facts.swarm}>
        <SwarmFact {...props} />
      </Fact>
      {is_later_end ? (
        <Fact name={facts.later_end}>
          <ItemEnd item={props.item} />
        </Fact>
      ) : (
        <Fact name={is_request ? facts.role_asked : joined_by ? facts.role_joined : facts.role}>
          <span className="line wraps facts-line">
            <RoleChip role={role} label={t.shell.roles[role]} />
            {t.invitations.role_does[role]}
          </span>
        </Fact>
      )}
      <Fact name={isOwnDevice(props) ? facts.your_device : facts.device}>
        <DeviceFact {...props} />
      </Fact>
      {description && (
        <Fact name={facts.message}>
          <span className="facts-message">
            <Rich text={facts.quote} message={<Bdi>{description}</Bdi>} />
          </span>
        </Fact>
      )}
      {status !== 'new' && (
        <Fact name={facts.state}>
          <StateFact {...props} status={status} />
        </Fact>
      )}
    </dl>
  );
}

function SwarmFact({ item: { swarm } }: FactsProps) {
  const { facts } = t.invitations;
  const owner = <Bdi>{swarm.user_id}</Bdi>;
  const text = swarm.user_id === '' ? '{swarm}' : t.invitations.by;
  const publicPill = swarm.public && <span className="facts-pill">{facts.public}</span>;
  // The user may not see it.
  if (swarm.member_count === undefined) {
    return (
      <>
        <span className="line wraps facts-line">
          <span>
            <Rich text={text} swarm={<Bdi>{swarm.name}</Bdi>} owner={owner} />
          </span>
          {publicPill}
        </span>
        <span className="quiet">{facts.no_access}</span>
      </>
    );
  }
  const link = (
    <Link to={`/swarms/${swarm.id}`} className="facts-name">
      <Bdi>{swarm.name}</Bdi>
    </Link>
  );
  return (
    <>
      <span className="line wraps facts-line">
        <span>
          <Rich text={text} swarm={link} owner={owner} />
        </span>
        {publicPill}
        <span className="facts-pill numbers">{facts.members(swarm.member_count)}</span>
      </span>
      {swarm.description !== '' && <Bdi className="quiet">{swarm.description}</Bdi>}
    </>
  );
}

function DeviceFact(props: FactsProps) {
  const { item, box } = props;
  const { device } = item;
  if (!device) return box === 'received' ? <i>{t.invitations.former_text}</i> : <UnknownDevice item={item} />;
  // Before the answer to a request, the owner of the swarm only sees the name and the type.
  const isLink = isOwnDevice(props) || !item.is_request || item.status === 'accepted';
  const name = <Bdi>{device.name}</Bdi>;
  return (
    <span className="line wraps facts-line">
      <TypeBadge type={device.machine_type} small />
      {isLink ? (
        <Link to={`/devices/${item.resource_id}`} className="facts-name">
          {name}
        </Link>
      ) : (
        <span className="facts-name">{name}</span>
      )}
      {props.isNamesake && <ShortId id={item.resource_id} />}
      <span className="muted numbers">
        {t.shell.machine_types[device.machine_type]}
        {!item.is_request && (
          <>, {device.position ? <Place position={device.position} /> : t.invitations.facts.no_position}</>
        )}
      </span>
    </span>
  );
}

/** An invited device that the sender may not see, or that was deleted. */
function UnknownDevice({ item: { label, resource_id, status, is_former_device } }: Pick<FactsProps, 'item'>) {
  const { facts, former_text, their_device } = t.invitations;
  return (
    <>
      {label !== undefined && (
        <>
          <Bdi>{t.invite_code.label.quoted(label)}</Bdi>
          <span className="quiet">{t.invite_code.label.from_code}</span>
        </>
      )}
      <code>{resource_id}</code>
      <span className="quiet">
        {is_former_device ? former_text : status === 'new' ? facts.not_yours : their_device}
      </span>
    </>
  );
}

function StateFact({ status, ...props }: FactsProps & { status: Exclude<InvitationItem['status'], 'new'> }) {
  const { device, resource_id, changed_at, membership_ends_at, swarm } = props.item;
  const link = device && (
    <Link to={`/devices/${resource_id}`}>
      <Bdi>{device.name}</Bdi>
    </Link>
  );
  return (
    <>
      <span>
        <Rich
          text={t.invitations.facts.on}
          state={stateText(props.item)}
          when={<Time at={changed_at} form="date_time" />}
        />
      </span>
      {membership_ends_at !== undefined && (
        <span>
          <Rich text={t.invitations.facts.stays} date={<EndTime at={membership_ends_at} />} />
        </span>
      )}
      {/* Without access to the swarm, the device has left it. */}
      {isOwnDevice(props) && status === 'accepted' && link && swarm.member_count !== undefined && (
        <span className="quiet">
          <Rich text={t.invitations.to_leave} device={link} />
        </span>
      )}
    </>
  );
}

/** The nearest city, or the coordinates until it is known or if there is none. */
function Place({ position }: { position: Position }) {
  const city = useNearestCity(position);
  if (city === null) return <Bdi>{formatPosition(position)}</Bdi>;
  return <Rich text={city.text} city={<Bdi>{city.name}</Bdi>} />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
