import { useState, type CSSProperties } from 'react';
import type { Device, MemberRole, NamedItem } from '@swarmdeck/bff/contract';
import { queryString } from '../../../data/filter-params.ts';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { nothingSelected, useListSelection } from '../../../bulk/use-list-selection.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { PagedList } from '../../../ui/lists/paged-list.tsx';
import { ownDevicesQuery } from '../swarms.api.ts';
import './device-choice.css';

/** The own devices that match a search. `available`: how many of them are not in the swarm. */
function useOwnDevices(swarm_id: string) {
  const [q, search] = useState('');
  const { query, rows, first } = usePagedQuery(ownDevicesQuery(q));
  const memberCount = first?.facets.swarms.find(({ id }) => id === swarm_id)?.count ?? 0;
  const available = Math.max(0, (first?.total ?? 0) - memberCount);
  return { q, search, query, rows, first, available };
}

const nobody: ReadonlySet<string> = new Set();

/**
 * The own devices that the user selects for a swarm: some, or all that match a search.
 * `asked`: the ids of devices with an open request. They cannot be selected.
 */
export function useDeviceChoice(swarm_id: string, asked = nobody) {
  const devices = useOwnDevices(swarm_id);
  const { q, rows, query, available } = devices;
  const [stored, update] = useState(() => nothingSelected(q));
  const [hasEnded, setEnded] = useState(false);
  const others = rows.filter((device) => !roleIn(swarm_id, device));
  const selectable = others.filter(({ id }) => !asked.has(id));
  const { checked, check } = useListSelection({
    stored,
    update(change) {
      setEnded(false);
      update(change);
    },
    onEnd: () => setEnded(true),
    filters: q,
    isOld: query.isPlaceholderData,
    order: () => selectable.map(({ id }) => id),
    total: Math.max(0, available - (others.length - selectable.length)),
  });
  /** The names of the selected devices, which another search may not list. */
  const [names] = useState(() => new Map<string, string>());
  const toggle = ({ id, name }: NamedItem) => {
    names.set(id, name);
    check.toggle(id, false);
  };
  return {
    swarm_id,
    asked,
    devices,
    /** A selection of all has ended, because another search was typed. */
    hasEnded,
    checked,
    check: {
      ...check,
      toggle,
      all() {
        for (const { id, name } of selectable) names.set(id, name);
        check.all();
      },
    },
    /** Selects a device that the user has just added, unless all are selected. */
    add(device: NamedItem) {
      if (!checked.selection.all) toggle(device);
    },
    /** The items of an action. */
    items() {
      const { selection } = checked;
      const ids = [...selection.ids];
      // Members are not counted by `available` either.
      const except = [...ids, ...others.filter(({ id }) => asked.has(id)).map(({ id }) => id)];
      const filter = { list: 'devices' as const, query: queryString({ q, not_in: swarm_id }), except };
      return {
        items: selection.all ? [] : ids.map((id): NamedItem => ({ id, name: names.get(id) ?? id })),
        ...(selection.all && { filter, expected: checked.count }),
      };
    },
  };
}

interface DeviceChoiceProps {
  choice: ReturnType<typeof useDeviceChoice>;
  /** Given: members that have another role can be selected. */
  role?: MemberRole;
  /** For a user without devices. */
  none?: string;
}

/** A search and a list of the user's devices to select from. */
export function DeviceChoice({ choice, role, none = t.add_members.none_at_all }: DeviceChoiceProps) {
  const { asked, devices, checked, check } = choice;
  const { q, query, rows, first } = devices;
  const { total = 0 } = checked;
  const repeated = repeatedNames(rows);
  return (
    <>
      <SearchField
        q={q}
        label={t.add_members.search}
        placeholder={t.add_members.search_hint}
        onChange={devices.search}
      />
      <fieldset className="column device-choice" aria-label={t.add_members.devices} style={first && rowsFor(first)}>
        <output className="quiet device-choice-ended">{choice.hasEnded && t.devices.selection.ended}</output>
        {query.isPending && <SkeletonRows count={4} label={t.swarms.loading} />}
        {query.isError && rows.length === 0 && <LoadFailed title={t.members.error_title} query={query} />}
        {first?.total === 0 && <p className="quiet pad-4">{first.facets.all === 0 ? none : t.add_members.none}</p>}
        {total > 1 && (
          <div className="hoverable device-choice-row device-choice-all">
            <Checkbox
              checked={checked.isWhole}
              label={(q === '' ? t.add_members.all : t.add_members.all_matching)(formatNumber(total))}
              onChange={(all) => (all ? check.all() : check.none())}
            />
          </div>
        )}
        {rows.length > 0 && (
          <PagedList
            label={t.add_members.devices}
            items={rows}
            query={query}
            rowHeight={48}
            renderItem={(device, tabIndex) => {
              const has = roleIn(choice.swarm_id, device);
              const isMember = has && (!role || has === role || has === 'both' || checked.selection.all);
              const why = isMember ? t.add_members.already[has] : asked.has(device.id) && t.add_members.asked;
              const note = why || (has && has !== 'both' && t.add_members.will_do_both[has]);
              return (
                <Choice
                  tabIndex={tabIndex}
                  device={device}
                  isRepeated={repeated.has(device.name)}
                  isDisabled={Boolean(why)}
                  note={note || undefined}
                  checked={checked.has(device.id)}
                  onToggle={() => check.toggle(device)}
                />
              );
            }}
          />
        )}
      </fieldset>
    </>
  );
}

/** With few devices, the list is lower, so that a dialog has room for what follows it. A search does not change its height. */
const rowsFor = ({ facets }: { facets: { all: number } }) => ({ '--choice-rows': facets.all + 1 }) as CSSProperties;

/** The names that several of these devices have. */
function repeatedNames(devices: readonly Device[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(devices.flatMap(({ name }) => (seen.size === seen.add(name).size ? [name] : [])));
}

/** The role of the device in the swarm. */
const roleIn = (swarm_id: string, device: Device) => device.swarms.find(({ id }) => id === swarm_id)?.resource_type;

interface ChoiceProps {
  tabIndex: 0 | -1;
  device: Device;
  /** Another device has the same name. */
  isRepeated: boolean;
  isDisabled: boolean;
  /** Why the device cannot be selected, or the role that it has and will have. */
  note: string | undefined;
  checked: boolean;
  onToggle(): void;
}

function Choice({ tabIndex, device, isRepeated, isDisabled, note, checked, onToggle }: ChoiceProps) {
  const focus = { tabIndex, 'data-row': device.id };
  // A disabled checkbox cannot get the focus, so the row does.
  return (
    <div className="hoverable device-choice-row" {...(isDisabled && focus)}>
      <Checkbox
        {...(!isDisabled && focus)}
        checked={checked || isDisabled}
        disabled={isDisabled}
        onChange={onToggle}
        label={
          <>
            <TypeBadge type={device.machine_type} small />
            <span className="fill strong">
              <TruncateMiddle text={device.name} />
            </span>
            {isRepeated && <ShortId id={device.id} />}
            {note !== undefined && <span className="quiet">{note}</span>}
          </>
        }
      />
    </div>
  );
}
