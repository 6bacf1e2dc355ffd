import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { memberQuery } from '../../../data/cache/device-query.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useHiddenSelection } from '../../../ui/lists/use-hidden-selection.ts';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import { isListedMember } from '../swarms.api.ts';
import { membersUrl, withoutBbox } from './member-filters.ts';
import type { MemberList } from './use-member-list.ts';
import type { MembersMap } from './use-members-map.ts';

interface SelectedMemberOptions {
  swarm: Pick<SwarmItem, 'id'>;
  map: MembersMap;
  list: Pick<MemberList, 'query' | 'rows' | 'handle'>;
}

/** The member that is selected in the table and on the map. Its id is in the URL. */
export function useSelectedMember({ swarm, map, list }: SelectedMemberOptions) {
  const [url, setUrl] = useUrlState(membersUrl);
  const { query, rows, handle } = list;
  const { lookAt, lookInto } = map;
  const { id: swarm_id } = swarm;
  const inList = rows.find(({ id }) => id === url.selected);
  const unlisted = useQuery({
    ...memberQuery(swarm_id, url.selected ?? ''),
    enabled: url.selected !== null && !inList && !query.isPending,
  }).data;
  const member = url.selected === null ? null : (inList ?? unlisted ?? null);
  useFirstLook({ map, id: url.selected, member });

  const select = (id: string | null) => setUrl({ selected: id });
  useHiddenSelection({
    codec: membersUrl,
    url,
    isLoading: query.isPlaceholderData,
    // The map also shows members outside the stack.
    isListed: async (resource_id) =>
      inList !== undefined || isListedMember({ id: swarm_id, filters: withoutBbox(url.filters), resource_id }),
    deselect: () => select(null),
  });
  /** Selects a member of the table, and moves the map to it. */
  const show = (shown: Member) => {
    select(shown.id);
    lookAt(shown);
    lookInto(shown);
  };
  return {
    member,
    ...useStableFunctions({
      select,
      show,
      /** Selects the next or the previous row. */
      step(by: 1 | -1) {
        // A second key may come before the first one has rendered.
        const { selected } = readUrl(membersUrl);
        const at = rows.findIndex(({ id }) => id === selected);
        const next = rows[Math.max(0, at + by)] ?? rows[at];
        if (!next) return;
        show(next);
        // Enter then opens the row that J selected instead of pressing the focused chip.
        handle.current?.focus(next.id);
      },
    }),
  };
}

/** Opens the page of a member. */
export function useOpenMember(): (member: Member) => void {
  const navigate = useNavigate();
  return ({ id }) => void navigate(`/devices/${id}`);
}

interface FirstLookOptions {
  map: Pick<MembersMap, 'view' | 'lookAt'>;
  id: string | null;
  member: Member | null;
}

/** Moves the map to the member of a link, once the map exists. `id`: the selected one, which may still be loading. */
function useFirstLook({ map: { view, lookAt }, id, member }: FirstLookOptions): void {
  const hasLooked = useRef(id === null);
  const look = useEffectEvent((first: Member) => lookAt(first));
  useEffect(() => {
    if (hasLooked.current || !member || view === null) return;
    hasLooked.current = true;
    look(member);
  }, [member, view]);
}
