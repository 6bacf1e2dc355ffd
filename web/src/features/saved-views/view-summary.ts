import type { MachineType, MemberRole, PresenceState } from '@swarmdeck/bff/contract';
import { savedViewLimits } from '@swarmdeck/bff/capabilities/saved-views';
import { codePoints, machineTypes, memberRoles, presenceStates } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';
import { partsOf, viewPageOf } from './view-url.ts';

/** A part of a summary. `others`: the text was written by a user. `quoted`: it is a search text. */
interface SummaryPart {
  /** The parameter or its value. */
  id: string;
  text: string;
  others?: boolean;
  quoted?: boolean;
}

export interface Summarised {
  url: string;
  /** The swarms of the URL whose names the user can see. */
  swarms: readonly { id: string; name: string }[];
}

/** The summary of a view, such as "Bugs · “harbour” · Quay sensors". */
export function summaryOf({ url, swarms }: Summarised): SummaryPart[] {
  const texts = t.views;
  const { pathname, params } = partsOf(url);
  const place = viewPageOf(pathname);
  const swarm = (id: string): SummaryPart => {
    const known = swarms.find((each) => each.id === id);
    return { id, ...(known ? { text: known.name, others: true } : { text: texts.hidden_swarm }) };
  };
  const chosen = <T extends string>(name: string, all: readonly T[], of: Record<T, string>): SummaryPart[] => {
    const wanted = params.get(name)?.split(',') ?? [];
    if (params.get(name) === '') return [{ id: name, text: texts.hidden }];
    return all.filter((each) => wanted.includes(each)).map((each) => ({ id: each, text: of[each] }));
  };
  const parts = [
    ...chosen<MachineType>('machine_type', machineTypes, texts.machine_types),
    ...chosen<MemberRole>('resource_type', memberRoles, texts.resource_types),
    ...chosen<PresenceState>('presence', presenceStates, t.shell.presence_names),
  ];
  const { audience, q, swarm: filter, placed, refused, bbox, in_view, colour, follow } = Object.fromEntries(params);
  if (audience) parts.push({ id: 'audience', text: texts.all_visible });
  if (q) parts.push({ id: 'q', text: q, others: true, quoted: true });
  if (filter) parts.push(filter === 'none' ? { id: 'swarm', text: texts.no_swarm } : swarm(filter));
  if (placed) parts.push({ id: 'placed', text: placed === 'no' ? texts.unplaced : texts.placed });
  if (refused) parts.push({ id: 'refused', text: t.devices.refused });
  if (bbox) parts.push({ id: 'bbox', text: texts.stack });
  if (in_view) parts.push({ id: 'in_view', text: texts.in_view });
  if (colour) parts.push({ id: 'colour', text: texts.by_heard });
  if (follow) parts.push({ id: 'follow', text: texts.following });
  if (place?.kind === 'wall') {
    const whose = place.swarm === null ? [] : [swarm(place.swarm)];
    const all = place.swarm === null && parts.length === 0 ? [{ id: 'visible', text: texts.all_visible }] : [];
    return [{ id: 'wall', text: texts.wall }, ...whose, ...parts, ...all];
  }
  return parts.length > 0 ? parts : [{ id: 'own', text: texts.all }];
}

/** Folds a name to compare it, as the server does. */
export const foldName = (name: string) => name.replaceAll(/\s+/gu, ' ').trim().normalize('NFKC').toLowerCase();

/** Suggests a name for a view from its summary, with a number if the name is taken. */
export function suggestName({ shown, taken }: { shown: Summarised; taken: readonly string[] }) {
  const full = summaryOf(shown)
    .map(({ text }) => text)
    .join(' · ');
  const used = new Set(taken.map(foldName));
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : ` ${count}`;
    const name = `${cut(full, savedViewLimits.nameLength - end.length)}${end}`;
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
