import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Device, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../api/actions.ts';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { allSelected, countSelected, isSelected, noSelection, toggle } from '../../../ui/selection.ts';
import type { Selection } from '../../../ui/selection.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { PagedList } from '../../../ui/virtual-list.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { ownDevicesQuery, rowsOf } from '../swarms.api.ts';
import './add-members.css';

/** Adds the user's own devices to a swarm, all with one role. */
export function AddMembers({ swarm, onClose }: { swarm: SwarmItem; onClose(): void }) {
  const [q, setQ] = useState('');
  const [role, setRole] = useState<MemberRole>('producer');
  const [selection, setSelection] = useState<Selection>(noSelection);
  const found = useInfiniteQuery(ownDevicesQuery(q));
  const { rows, first } = useMemo(() => rowsOf(found.data), [found.data]);
  const total = first?.total ?? 0;
  const held = first?.facets.swarms.find(({ id }) => id === swarm.id)?.count ?? 0;
  const available = Math.max(0, total - held);
  const count = countSelected(selection, available);

  const { start } = useActionRequests();
  /** Of the selected devices, which another search may not list. */
  const [names] = useState(() => new Map<string, string>());
  const add = () => {
    const about = { swarm: { id: swarm.id, name: swarm.name }, resource_type: role };
    const ids = [...selection.ids];
    const filter = { list: 'devices' as const, query: String(new URLSearchParams(q && { q })), except: ids };
    const matching = selection.all && { filter, expected: countSelected(selection, total) };
    const items = selection.all ? [] : ids.map((id) => ({ id, name: names.get(id) ?? id }));
    void start({ kind: 'add_member', about, items, ...matching });
    onClose();
  };
  const search = (next: string) => {
    setQ(next);
    // "All" refers to one search, so a new search clears it.
    if (selection.all) setSelection(noSelection);
  };
  return (
    <Dialog
      title={t.add_members.title}
      description={t.add_members.text}
      onClose={onClose}
      footer={
        <>
          <Button look="primary" sends disabled={count === 0} onClick={add}>
            {t.add_members.submit(count)}
          </Button>
          <Button onClick={onClose}>{t.shell.kit.cancel}</Button>
          <output className="dialog-aside numbers">{count > 0 && t.add_members.selected(formatNumber(count))}</output>
        </>
      }
    >
      <RoleChoice label={t.add_members.role} value={role} onChange={setRole} />
      <SearchField q={q} label={t.add_members.search} placeholder={t.add_members.search_hint} onChange={search} />
      <fieldset className="add-members" aria-label={t.add_members.devices}>
        {found.isPending && <SkeletonRows count={4} label={t.swarms.loading} />}
        {found.isError && rows.length === 0 && (
          <LoadFailed
            title={t.members.error_title}
            error={found.error}
            busy={found.isFetching}
            onRetry={() => void found.refetch()}
          />
        )}
        {first && total === 0 && (
          <p className="quiet add-members-note">
            {first.facets.all === 0 ? t.add_members.none_at_all : t.add_members.none}
          </p>
        )}
        {available > 1 && (
          <div className="add-members-choice add-members-all">
            <Checkbox
              checked={selection.all && selection.ids.size === 0}
              label={(q === '' ? t.add_members.all : t.add_members.all_matching)(formatNumber(available))}
              onChange={(all) => setSelection(all ? allSelected : noSelection)}
            />
          </div>
        )}
        {rows.length > 0 && (
          <PagedList
            label={t.add_members.devices}
            items={rows}
            query={found}
            rowHeight={48}
            renderItem={(device, tabIndex) => (
              <Choice
                tabIndex={tabIndex}
                device={device}
                held={roleIn(swarm, device)}
                checked={isSelected(selection, device.id)}
                onToggle={() => {
                  names.set(device.id, device.name);
                  setSelection(toggle(selection, device.id));
                }}
              />
            )}
          />
        )}
      </fieldset>
    </Dialog>
  );
}

/** The role of the device in the swarm. */
const roleIn = (swarm: SwarmItem, device: Device) => device.swarms.find(({ id }) => id === swarm.id)?.resource_type;

function Choice({
  tabIndex,
  device,
  held,
  checked,
  onToggle,
}: {
  tabIndex: 0 | -1;
  device: Device;
  /** The role if the device is a member already. */
  held: MemberRole | undefined;
  checked: boolean;
  onToggle(): void;
}) {
  const isHeld = held !== undefined;
  const focus = { tabIndex, 'data-row': device.id };
  // A disabled checkbox cannot get the focus, so the row does.
  return (
    <div className="add-members-choice" {...(isHeld && focus)}>
      <Checkbox
        {...(!isHeld && focus)}
        checked={checked || isHeld}
        disabled={isHeld}
        onChange={onToggle}
        label={
          <>
            <TypeBadge type={device.machine_type} small />
            <span className="add-members-name">
              <TruncateMiddle text={device.name} />
            </span>
            {held && <span className="quiet">{t.add_members.already[held]}</span>}
          </>
        }
      />
    </div>
  );
}
