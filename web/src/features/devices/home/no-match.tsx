import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DevicePage } from '@swarmdeck/bff/contract';
import type { Bbox } from '../../../data/filter-params.ts';
import { joinList } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { KeyHint } from '../../../ui/keys/keys-provider.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Skeleton } from '../../../ui/pages/skeleton.tsx';
import type { SetUrlState } from '../../../ui/urls/url-state.ts';
import {
  filtersOn,
  listBbox,
  removeAllFilters,
  removeFilter,
  type FilterKind,
  type ListState,
} from '../device-filters.ts';
import { deviceCountQuery } from '../devices.api.ts';
import '../../../ui/pages/box.css';
import './no-match.css';

interface NoMatchProps {
  state: ListState;
  /** The free part of the map. */
  view: Bbox | null;
  facets: DevicePage['facets'] | undefined;
  onChange: SetUrlState<ListState>;
}

/** Shown if no device matches: each filter with the number of devices without it, and a button to remove it. */
export function NoMatch({ state, view, facets, onChange }: NoMatchProps) {
  const on = filtersOn(state);
  const left = useQueries({
    queries: on.map((kind) =>
      deviceCountQuery({
        filters: removeFilter(state, kind).filters,
        bbox: listBbox({ state: removeFilter(state, kind), view }),
      }),
    ),
  });
  const swarm = facets?.swarms.find(({ id }) => id === state.filters.swarm);
  const named: Record<FilterKind, ReactNode> = {
    q: <Rich text={t.device.none.search} q={<Bdi>{state.filters.q}</Bdi>} />,
    action: t.devices.of_action,
    machine_type: joinList((state.filters.machine_type ?? []).map((type) => t.shell.machine_types[type])),
    presence: joinList((state.filters.presence ?? []).map((each) => t.shell.presence_names[each])),
    swarm:
      state.filters.swarm === 'none' ? (
        t.devices.no_swarm
      ) : (
        <Rich text={t.device.none.swarm} name={swarm ? <Bdi>{swarm.name}</Bdi> : t.device.none.lost_swarm} />
      ),
    placed: state.filters.placed === 'no' ? t.devices.unplaced : t.devices.with_position,
    refused: t.devices.refused,
    value: <Bdi>{state.filters.value ?? ''}</Bdi>,
    stack: t.devices.one_place,
    in_view: t.devices.in_view,
  };
  return (
    <div className="no-match">
      <Empty icon="search" title={t.device.none.title(on.length)} text={t.device.none.text(on.length)}>
        <ul className="frame no-match-list">
          {on.map((kind, index) => {
            const count = left[index]?.data;
            return (
              <li key={kind} className="line">
                <span className="fill no-match-name">{named[kind]}</span>
                <span className="no-match-count quiet numbers">
                  {count === undefined ? <Skeleton width="64px" /> : t.devices.counted(count)}
                </span>
                <Button look="accent" size="row" onClick={() => onChange((now) => removeFilter(now, kind))}>
                  {t.device.none.remove} <span className="visually-hidden">{named[kind]}</span>
                </Button>
              </li>
            );
          })}
        </ul>
        <Button onClick={() => onChange(removeAllFilters)}>
          {t.device.none.clear} <KeyHint keys="Esc" />
        </Button>
      </Empty>
    </div>
  );
}
