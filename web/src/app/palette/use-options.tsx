import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { Device, SavedView, SwarmItem } from '@swarmdeck/bff/contract';
import { accountQuery } from '../../shared/account/account.api.ts';
import { savedViewsQuery } from '../../features/saved-views/saved-views.api.ts';
import { SummaryText } from '../../features/saved-views/summary-text.tsx';
import { formatNumber, formatPosition, t } from '../../text/text.ts';
import { writeMapView, type MapUrlView } from '../../ui/map-view-url.ts';
import { Bdi, Rich } from '../../ui/rich.tsx';
import type { FoundPlace } from '../../data/places/found-places.ts';
import { hit, named } from './match.ts';
import { Marked, type Option } from './option-row.tsx';
import type { useFound } from './use-found.ts';
import { useAppCommands } from './use-app-commands.ts';
import { usePageCommands } from './use-page-commands.ts';
import { commandsFor, type ListedCommand } from './commands.ts';

/** More views are in their own list. */
const shownViews = 4;

interface Group {
  id: string;
  heading: keyof typeof t.palette.groups;
  /** Beside the heading: the total number, if not all are shown. */
  note?: string;
  options: Option[];
}

interface OptionSources {
  word: string;
  found: ReturnType<typeof useFound>;
  touch: boolean;
  onGo(to: string): void;
}

/** The results by groups, in the order in which they are shown. Groups without an option are left out. */
export function useOptions({ word, found, touch, onGo }: OptionSources): Group[] {
  const me = useQuery(accountQuery).data?.user_id;
  const saved = useQuery(savedViewsQuery).data?.items ?? [];
  const pageCommands = usePageCommands({ touch });
  const everywhere = useAppCommands({ word, touch });
  const overruled = new Set(pageCommands.map(({ keys }) => keys));
  const { devices, swarms } = found;
  const { pathname, search } = useLocation();

  const device = (each: Device): Option => ({
    id: `device ${each.id}`,
    sign: { type: each.machine_type },
    name: <Marked text={each.name} parts={hit({ text: each.name, typed: word })} />,
    second: each.user_id === me ? <SwarmsOf device={each} /> : <Owner name={each.user_id} text={t.palette.of_owner} />,
    ...leadingTo(`/devices/${each.id}`),
  });
  const swarm = (each: SwarmItem): Option => ({
    id: `swarm ${each.id}`,
    sign: { icon: 'swarm' },
    name: <Marked text={each.name} parts={hit({ text: each.name, typed: word })} />,
    second: (
      <>
        {each.user_id === me ? t.palette.by_you : <Owner name={each.user_id} text={t.palette.by} />} ·{' '}
        {t.palette.members(each.member_count)}
      </>
    ),
    ...leadingTo(`/swarms/${each.id}`),
  });
  const view = (each: SavedView): Option => ({
    id: `view ${each.id}`,
    sign: { icon: 'bookmark' },
    name: <Marked text={each.name} parts={hit({ text: each.name, typed: word })} />,
    second: <SummaryText shown={each} />,
    ...leadingTo(each.url),
  });
  const place = (each: FoundPlace): Option => {
    const text = t.palette.go(each.name);
    return {
      id: each.id,
      sign: { icon: 'device' },
      name: <Marked text={text} parts={hit({ text, typed: word })} />,
      second: <Bdi>{formatPosition({ latitude: each.view.lat, longitude: each.view.lng })}</Bdi>,
      ...leadingTo(mapAt(each.view)),
    };
  };
  const command = (each: ListedCommand): Option => {
    const { id, icon, label, keys, to, run } = each;
    const shownKeys = keys && !(overruled.has(keys) && !pageCommands.includes(each)) ? keys : undefined;
    return {
      id: `command ${id}`,
      sign: { icon },
      name: each.takesTyped ? (
        <Rich text={label} q={<Bdi>{word}</Bdi>} />
      ) : (
        <Marked text={label} parts={hit({ text: label, typed: word })} />
      ),
      ...(shownKeys && { keys: shownKeys }),
      ...(to && { to }),
      run,
    };
  };
  function leadingTo(to: string) {
    return { to, run: () => onGo(to) };
  }
  /** The URL that shows a map view: on the visible map if there is one, otherwise on the home page. */
  function mapAt(view: MapUrlView): string {
    const isMap = pathname === '/' || pathname.endsWith('/map');
    const params = new URLSearchParams(isMap ? search : '');
    params.set('map', writeMapView(view));
    // a wall that follows a device would return to it
    params.delete('follow');
    return `${isMap ? pathname : '/'}?${params}`;
  }
  const onPage = commandsFor({ typed: word, commands: pageCommands });
  const anywhere = commandsFor({ typed: word, commands: everywhere });
  const group = (heading: Group['heading'], options: Option[], id: string = heading): Group => ({
    id,
    heading,
    options,
  });
  /** Names come first: the others match by their owner or description. */
  function byName<T extends { name: string }>(
    heading: Group['heading'],
    found: { items: T[]; total: number } | undefined,
    optionOf: (item: T) => Option,
  ) {
    const items = found?.items ?? [];
    const fitting = new Set(named({ typed: word, items }));
    const others = items.filter((item) => !fitting.has(item));
    const rest = noteOf(found);
    return {
      named: {
        ...group(heading, [...fitting].map(optionOf), `${heading}-named`),
        ...(others.length === 0 && rest),
      },
      others: { ...group(heading, others.map(optionOf)), ...rest },
    };
  }
  const foundDevices = byName('devices', devices, device);
  const foundSwarms = byName('swarms', swarms, swarm);
  const groups: Group[] = [
    group('here', onPage.first.map(command), 'here-first'),
    group('actions', anywhere.first.map(command), 'actions-first'),
    foundDevices.named,
    foundSwarms.named,
    group('views', named({ typed: word, items: saved }).slice(0, shownViews).map(view)),
    foundDevices.others,
    foundSwarms.others,
    group('here', onPage.middle.map(command)),
    group('actions', anywhere.middle.map(command)),
    group('places', found.places?.map(place) ?? []),
    group('more', [...onPage.last, ...anywhere.last].map(command)),
  ];
  return joinNeighbours(groups.filter(({ options }) => options.length > 0));
}

/** Neighbouring groups with the same heading become one. */
function joinNeighbours(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  for (const group of groups) {
    const last = joined.at(-1);
    if (last?.heading === group.heading) {
      joined[joined.length - 1] = { ...last, ...group, id: last.id, options: [...last.options, ...group.options] };
    } else joined.push(group);
  }
  return joined;
}

function noteOf(page: { items: unknown[]; total: number } | undefined): { note?: string } {
  if (!page || page.items.length >= page.total) return {};
  return { note: t.palette.of(formatNumber(page.items.length), formatNumber(page.total)) };
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
