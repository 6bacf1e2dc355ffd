import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { accountQuery } from '../../shared/account/account.api.ts';
import { savedViewsQuery } from '../../features/saved-views/saved-views.api.ts';
import { formatNumber, t } from '../../text/text.ts';
import { named } from './match.ts';
import type { Option } from './option-row.tsx';
import { commandOption, deviceOption, placeOption, swarmOption, viewOption, type OptionContext } from './options.tsx';
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
  const appCommands = useAppCommands({ word, touch });
  const context: OptionContext = { word, me, place: useLocation(), onGo };

  const keysOfPage = new Set(pageCommands.map(({ keys }) => keys));
  const onPage = (command: ListedCommand) => commandOption(command, false, context);
  const anywhere = (command: ListedCommand) => commandOption(command, keysOfPage.has(command.keys), context);
  const page = commandsFor({ typed: word, commands: pageCommands });
  const app = commandsFor({ typed: word, commands: appCommands });
  const devices = byName('devices', found.devices, word, (device) => deviceOption(device, context));
  const swarms = byName('swarms', found.swarms, word, (swarm) => swarmOption(swarm, context));
  const views = named({ typed: word, items: saved }).slice(0, shownViews);
  const groups: Group[] = [
    group('here', page.first.map(onPage), 'here-first'),
    group('actions', app.first.map(anywhere), 'actions-first'),
    devices.named,
    swarms.named,
    group(
      'views',
      views.map((view) => viewOption(view, context)),
    ),
    devices.others,
    swarms.others,
    group('here', page.middle.map(onPage)),
    group('actions', app.middle.map(anywhere)),
    group('places', found.places?.map((place) => placeOption(place, context)) ?? []),
    group('more', [...page.last.map(onPage), ...app.last.map(anywhere)]),
  ];
  return joinNeighbours(groups.filter(({ options }) => options.length > 0));
}

const group = (heading: Group['heading'], options: Option[], id: string = heading): Group => ({ id, heading, options });

/** Names come first: the others match by their owner or description. */
function byName<T extends { name: string }>(
  heading: Group['heading'],
  found: { items: T[]; total: number } | undefined,
  word: string,
  optionOf: (item: T) => Option,
) {
  const items = found?.items ?? [];
  const fitting = new Set(named({ typed: word, items }));
  const others = items.filter((item) => !fitting.has(item));
  const rest = noteOf(found);
  return {
    named: { ...group(heading, [...fitting].map(optionOf), `${heading}-named`), ...(others.length === 0 && rest) },
    others: { ...group(heading, others.map(optionOf)), ...rest },
  };
}

/** Neighbouring groups with the same heading become one. */
function joinNeighbours(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  for (const next of groups) {
    const last = joined.at(-1);
    if (last?.heading === next.heading) {
      joined[joined.length - 1] = { ...last, ...next, id: last.id, options: [...last.options, ...next.options] };
    } else joined.push(next);
  }
  return joined;
}

function noteOf(page: { items: unknown[]; total: number } | undefined): { note?: string } {
  if (!page || page.items.length >= page.total) return {};
  return { note: t.palette.of(formatNumber(page.items.length), formatNumber(page.total)) };
}
