import type { InfiniteData } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Audience, SwarmAudience } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import { dayOf, serverNow } from '../../data/server-clock.ts';
import { EndTime, UntilDate } from '../ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { MoreButton } from '../../ui/buttons/more-button.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { SectionState } from '../section-state.tsx';
import { AllowLinks } from '../shown-by-links.tsx';
import { useAudience, type AudienceOf } from './audience.api.ts';
import '../../ui/texts/name-link.css';
import './audience.css';

interface AudienceBoxProps {
  of: AudienceOf;
  user_id: string;
  /** The own device, if it is of one. */
  device?: NamedDevice | undefined;
  /** Who else sees an own device today, without an account. */
  guests?: ReactNode;
}

const itemsOf = (data: InfiniteData<Audience> | undefined) => data?.pages.flatMap(({ items }) => items);

/** Who sees a device, or the devices of a swarm: today, or on another day. */
export function AudienceBox({ of, user_id, device, guests }: AudienceBoxProps) {
  const [day, setDay] = useState('');
  const today = useAudience(of);
  const query = useAudience(of, day);
  // Not the names of another day, which stay until the answer is there.
  const shown = query.isPlaceholderData ? undefined : itemsOf(query.data);
  // The device may have joined a swarm since the last response.
  const items = query.isError && shown?.length === 0 ? undefined : shown;
  const isPast = day !== '';
  const isOfSwarm = 'swarm_id' in of;
  return (
    <Box title={isOfSwarm ? t.audience.title_of_swarm : t.audience.title}>
      <p className="quiet box-text">{isOfSwarm ? t.audience.text_of_swarm : t.audience.text}</p>
      <SectionState query={{ ...query, data: items }}>
        {(swarms) =>
          swarms.length === 0 ? (
            <p className="box-row quiet">{isPast ? t.audience.unknown : t.audience.none}</p>
          ) : (
            <ul aria-label={isOfSwarm ? t.audience.title_of_swarm : t.audience.title}>
              {swarms.map((swarm) => (
                <SwarmRow
                  key={swarm.swarm.id}
                  item={swarm}
                  device={device}
                  user_id={user_id}
                  isLinked={!isOfSwarm}
                  isPast={isPast}
                />
              ))}
            </ul>
          )
        }
      </SectionState>
      {items && <MoreButton query={query} label={t.audience.more} end={t.audience.end} />}
      {isPast ? <p className="box-row quiet">{isOfSwarm ? t.audience.past_of_swarm : t.audience.past}</p> : guests}
      <DayField day={day} from={knownSince(itemsOf(today.data))} onChange={setDay} />
    </Box>
  );
}

interface NamedDevice {
  id: string;
  name: string;
}

interface SwarmRowProps {
  device: NamedDevice | undefined;
  item: SwarmAudience;
  user_id: string;
  isLinked: boolean;
  isPast: boolean;
}

function SwarmRow({ item, device, user_id, isLinked, isPast }: SwarmRowProps) {
  const { swarm, named, users, receivers, received, reach, open_links, since, member_since, receivers_then, ends_at } =
    item;
  const { guest_links, shown_by_links } = item;
  const say = t.audience;
  const isOwn = named.some(({ role, user_id: name }) => role === 'owner' && name === user_id);
  return (
    <li className="box-row audience-swarm">
      {(isLinked || !isPast) && (
        <p className="line wraps spread">
          {isLinked && (
            <Link to={`/swarms/${swarm.id}?tab=audience`} className="name-link box-row-title">
              <Bdi>{swarm.name}</Bdi>
            </Link>
          )}
          {!isPast && (
            <span className="quiet">
              <Rich
                text={device && (guest_links ?? 0) > 0 ? say.unchanged_but_links : say.unchanged}
                date={<Time at={since} form="date" />}
              />
            </span>
          )}
        </p>
      )}
      <ul className="audience-names">
        {named.map(({ user_id: name, role, since: from, ends_at: until }) => (
          <li key={name}>
            <span className="quiet audience-role">{say.roles[role]}</span>
            <span className="line wraps audience-user">
              <span className="audience-name">
                {name === user_id ? <Rich text={say.you} name={<Bdi>{name}</Bdi>} /> : <Bdi>{name || say.deleted}</Bdi>}
              </span>
              {from !== undefined && (
                <span className="quiet">
                  <Rich text={say.since} date={<Time at={from} form="date" />} />
                </span>
              )}
              {until !== undefined && (
                <span className="quiet">
                  <UntilDate at={until} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {users !== undefined && <p>{say.users(users, item.own_devices ?? 0)}</p>}
      {receivers && (
        <p>{say[isLinked ? 'other_receivers' : 'receivers'](receivers.devices, receivers.users, receivers.own)}</p>
      )}
      {received !== undefined && <p>{received ? say.received.yes : say.received.no}</p>}
      {reach && <p>{say.reach[reach]}</p>}
      {open_links !== undefined && open_links > 0 && <p>{say.open_links(open_links)}</p>}
      {guest_links !== undefined && guest_links > 0 && shown_by_links === undefined && (
        <p>{t.share_links.consent.of_swarm(guest_links)}</p>
      )}
      {device && shown_by_links !== undefined && <LinksOfSwarm item={item} device={device} />}
      {ends_at !== undefined && (
        <p>
          <Rich text={say.leaves} date={<EndTime at={ends_at} />} />
        </p>
      )}
      {!isOwn && receivers && receivers_then !== undefined && (
        <p className="quiet">
          <Rich text={say.agreed(receivers_then, receivers.devices)} date={<Time at={member_since!} form="date" />} />
        </p>
      )}
    </li>
  );
}

/** Whether links of the swarm show an own device, which the user can change. */
function LinksOfSwarm({ item, device: { id, name } }: { item: SwarmAudience; device: NamedDevice }) {
  const { swarm, shown_by_links: isShown = false, guest_links = 0 } = item;
  const [isChanging, setChanging] = useState(false);
  const say = t.share_links.consent;
  return (
    <div className="line wraps spread">
      <p>
        {isShown ? say.shown : say.not_shown}
        {isShown && ` ${guest_links > 0 ? say.open(guest_links) : say.none_open}`}
      </p>
      <Button size="row" onClick={() => setChanging(true)}>
        {isShown ? say.menu_stop : say.menu}
        <span className="visually-hidden">
          {' '}
          <Bdi>{swarm.name}</Bdi>
        </span>
      </Button>
      {isChanging && (
        <AllowLinks swarm={swarm} device={{ id, name }} isShown={isShown} onClose={() => setChanging(false)} />
      )}
    </div>
  );
}

const keptDays = 90;

/** @internal When the first of these swarms is known from, in ms: the beginning of what is kept until that is known. */
export function knownSince(items: readonly SwarmAudience[] = [], now = serverNow()): number {
  const first = Math.min(...items.map(({ known_since }) => Date.parse(known_since)));
  return Math.max(now - keptDays * dayMs, Number.isFinite(first) ? first : 0);
}

interface DayFieldProps {
  day: string;
  /** The first day that is known, in ms. */
  from: number;
  onChange(day: string): void;
}

function DayField({ day, from, onChange }: DayFieldProps) {
  return (
    <div className="box-row line wraps audience-day">
      <TextField
        type="date"
        label={t.audience.day}
        hint={t.audience.changes_from(keptDays)}
        min={dayOf(from)}
        max={dayOf(serverNow())}
        value={day}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {day !== '' && (
        <Button size="row" onClick={() => onChange('')}>
          {t.audience.today}
        </Button>
      )}
    </div>
  );
}
