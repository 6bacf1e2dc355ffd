/** How the palette shows each kind of result. */
import type { Device, SavedView, SwarmItem } from '@swarmdeck/bff/contract';
import type { FoundPlace } from '../../data/places/found-places.ts';
import { SummaryText } from '../../features/saved-views/summary-text.tsx';
import { formatPosition } from '../../text/formats.ts';
import { formatNumber, t } from '../../text/text.ts';
import { writeMapView, type MapUrlView } from '../../ui/urls/map-view-url.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import type { ListedCommand } from './commands.ts';
import { hit } from './match.ts';
import { Marked, type Option } from './option-row.tsx';

export interface OptionContext {
  /** The typed text, which is marked in the names. */
  word: string;
  /** The signed-in user. */
  me: string | undefined;
  /** The URL of the page. */
  place: { pathname: string; search: string };
  onGo(to: string): void;
}

export function deviceOption(device: Device, context: OptionContext): Option {
  const { id, name, machine_type, user_id } = device;
  return {
    id: `device ${id}`,
    sign: { type: machine_type },
    name: marked(name, context),
    second: user_id === context.me ? <SwarmsOf device={device} /> : <Owner name={user_id} text={t.palette.of_owner} />,
    ...leadingTo(`/devices/${id}`, context),
  };
}

export function swarmOption({ id, name, user_id, member_count }: SwarmItem, context: OptionContext): Option {
  return {
    id: `swarm ${id}`,
    sign: { icon: 'swarm' },
    name: marked(name, context),
    second: (
      <>
        {user_id === context.me ? t.palette.by_you : <Owner name={user_id} text={t.palette.by} />} ·{' '}
        {t.palette.members(member_count)}
      </>
    ),
    ...leadingTo(`/swarms/${id}`, context),
  };
}

export function viewOption(view: SavedView, context: OptionContext): Option {
  return {
    id: `view ${view.id}`,
    sign: { icon: 'bookmark' },
    name: marked(view.name, context),
    second: <SummaryText shown={view} />,
    ...leadingTo(view.url, context),
  };
}

export function placeOption({ id, name, view }: FoundPlace, context: OptionContext): Option {
  return {
    id,
    sign: { icon: 'device' },
    name: marked(t.palette.go(name), context),
    second: <Bdi>{formatPosition({ latitude: view.lat, longitude: view.lng })}</Bdi>,
    ...leadingTo(mapAt(view, context.place), context),
  };
}

/** `isShadowed`: another command has its key on this page. */
export function commandOption(command: ListedCommand, isShadowed: boolean, context: OptionContext): Option {
  const { id, icon, label, keys, to, takesTyped, run } = command;
  return {
    id: `command ${id}`,
    sign: { icon },
    name: takesTyped ? <Rich text={label} q={<Bdi>{context.word}</Bdi>} /> : marked(label, context),
    ...(keys && !isShadowed && { keys }),
    ...(to && { to }),
    run,
  };
}

const marked = (text: string, { word }: OptionContext) => <Marked text={text} parts={hit({ text, typed: word })} />;

const leadingTo = (to: string, { onGo }: OptionContext) => ({ to, run: () => onGo(to) });

/** The URL that shows a map view: on the visible map if there is one, otherwise on the home page. */
function mapAt(view: MapUrlView, { pathname, search }: OptionContext['place']): string {
  const isMap = pathname === '/' || pathname.endsWith('/map');
  const params = new URLSearchParams(isMap ? search : '');
  params.set('map', writeMapView(view));
  // A wall that follows a device would return to it.
  params.delete('follow');
  return `${isMap ? pathname : '/'}?${params}`;
}

function Owner({ name, text }: { name: string; text: string }) {
  return <Rich text={text} owner={<Bdi>{name}</Bdi>} />;
}

function SwarmsOf({ device: { swarms } }: { device: Device }) {
  const [first] = swarms;
  if (!first) return t.palette.no_swarm;
  if (swarms.length === 1) return <Bdi>{first.name}</Bdi>;
  return <Rich text={t.palette.swarm_and_more(formatNumber(swarms.length - 1))} first={<Bdi>{first.name}</Bdi>} />;
}
