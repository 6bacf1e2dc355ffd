import type { MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { codePoints, machineTypes, memberRoles, viewLimits } from '@swarmdeck/bff/limits';
import type { savedViews } from '../../text/en.saved-views.ts';
import { partsOf, placeOf } from './shown-url.ts';

type Words = typeof savedViews;

/** One thing that a view shows; `others` are words that somebody typed. `quoted`: it was searched for. */
interface SummaryPart {
  /** The parameter that says it, or its value. */
  id: string;
  text: string;
  others?: boolean;
  quoted?: boolean;
}

export interface Summarised {
  url: string;
  /** Those that the url names, as far as they may be seen. */
  swarms: readonly { id: string; name: string }[];
}

/** What a view shows: "Bugs · “harbour” · Quay sensors". */
export function summaryOf({ url, swarms }: Summarised, words: Words): SummaryPart[] {
  const { pathname, params } = partsOf(url);
  const place = placeOf(pathname);
  const swarm = (id: string): SummaryPart => {
    const known = swarms.find((each) => each.id === id);
    return { id, ...(known ? { text: known.name, others: true } : { text: words.hidden_swarm }) };
  };
  const chosen = <T extends string>(name: string, all: readonly T[], of: Record<T, string>): SummaryPart[] => {
    const wanted = params.get(name)?.split(',') ?? [];
    if (params.get(name) === '') return [{ id: name, text: words.no_layer }];
    return all.filter((each) => wanted.includes(each)).map((each) => ({ id: each, text: of[each] }));
  };
  const parts = [
    ...chosen<MachineType>('machine_type', machineTypes, words.machine_types),
    ...chosen<MemberRole>('resource_type', memberRoles, words.resource_types),
  ];
  const { q, swarm: filter, placed, bbox, in_view, colour, follow } = Object.fromEntries(params);
  if (q) parts.push({ id: 'q', text: q, others: true, quoted: true });
  if (filter) parts.push(filter === 'none' ? { id: 'swarm', text: words.no_swarm } : swarm(filter));
  if (placed) parts.push({ id: 'placed', text: placed === 'no' ? words.unplaced : words.placed });
  if (bbox) parts.push({ id: 'bbox', text: words.spot });
  if (in_view) parts.push({ id: 'in_view', text: words.in_view });
  if (colour) parts.push({ id: 'colour', text: words.by_change });
  if (follow) parts.push({ id: 'follow', text: words.following });
  if (place?.kind === 'wall') {
    const whose = place.swarm === null ? [] : [swarm(place.swarm)];
    const all = place.swarm === null && parts.length === 0 ? [{ id: 'visible', text: words.all_visible }] : [];
    return [{ id: 'wall', text: words.wall }, ...whose, ...parts, ...all];
  }
  return parts.length > 0 ? parts : [{ id: 'own', text: words.all }];
}

/** What two views of one name have in common: server and browser fold alike. */
export const foldName = (name: string) => name.replaceAll(/\s+/gu, ' ').trim().normalize('NFKC').toLowerCase();

/** A name made of what is shown, which no other view has. */
export function suggestName({ shown, taken, words }: { shown: Summarised; taken: readonly string[]; words: Words }) {
  const full = summaryOf(shown, words)
    .map(({ text }) => text)
    .join(' · ');
  const used = new Set(taken.map(foldName));
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : ` ${count}`;
    const name = `${cut(full, viewLimits.nameLength - end.length)}${end}`;
    if (!used.has(foldName(name))) return name;
  }
}

function cut(text: string, most: number): string {
  return codePoints(text) <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
