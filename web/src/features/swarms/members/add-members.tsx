import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Device, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { memberRoles } from '@swarmdeck/bff/limits';
import { patienceForOne, pauseFor, sendEach } from '../../../api/jobs/send-each.ts';
import { errorParts } from '../../../api/problem.ts';
import { randomKey } from '../../../api/sending-key.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RoleSign } from '../../../ui/role-chip.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { LoadFailed } from '../load-failed.tsx';
import { words } from '../swarm-words.ts';
import { addMember } from '../swarm-writes.api.ts';
import { membersChanged } from '../swarms-changed.api.ts';
import { ownDevicesQuery } from '../swarms.api.ts';
import './add-members.css';

const text = words.add;

/** Own devices join at once: one role for all that are ticked. */
export function AddMembers({ swarm, onClose }: { swarm: SwarmItem; onClose(): void }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [q, setQ] = useState('');
  const [role, setRole] = useState<MemberRole>('producer');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState(false);
  const found = useQuery(ownDevicesQuery(q));

  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const add = async () => {
    setBusy(true);
    const job = randomKey();
    const failed = new Map<string, string>();
    await sendEach({
      items: [...chosen].entries(),
      send: ([index, resource_id]) =>
        addMember({ swarm_id: swarm.id, resource_id, resource_type: role, key: `${job}-${index}` }),
      onRefused: ([, id], error) => failed.set(id, problemSentence(errorParts(error))),
      stopped: () => false,
      patience: patienceForOne,
      pause: pauseFor,
    });
    const added = chosen.size - failed.size;
    membersChanged(client, { swarm_id: swarm.id });
    if (added > 0) toasts.show({ title: text.added(added, formatNumber(added)), icon: 'check' });
    if (failed.size === 0) return onClose();
    setBusy(false);
    setRefused(failed);
    setChosen(new Set(failed.keys()));
  };
  const items = found.data?.items ?? [];
  const free = items.filter((device) => roleIn(swarm, device) === undefined);
  const allChosen = free.every(({ id }) => chosen.has(id));
  const toggleAll = () => {
    const next = new Set(chosen);
    for (const { id } of free) next[allChosen ? 'delete' : 'add'](id);
    setChosen(next);
  };
  const more = (found.data?.total ?? 0) - items.length;
  return (
    <Dialog
      title={text.title}
      description={text.text}
      onClose={onClose}
      footer={
        <>
          <Button look="primary" disabled={chosen.size === 0} busy={busy} onClick={() => void add()}>
            {text.submit(chosen.size, formatNumber(chosen.size))}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
          <output className="dialog-aside numbers">{chosen.size > 0 && text.chosen(formatNumber(chosen.size))}</output>
        </>
      }
    >
      <Segmented<MemberRole>
        label={text.role}
        value={role}
        options={memberRoles.map((value) => ({
          value,
          label: t.shell.roles[value],
          icon: <RoleSign role={value} />,
        }))}
        onChange={setRole}
      />
      <SearchField q={q} label={text.search} placeholder={text.search_hint} onChange={setQ} />
      <div role="alert" className="add-members-alert">
        {refused.size > 0 && (
          <p className="add-members-bad">{text.some_failed(refused.size, formatNumber(refused.size))}</p>
        )}
      </div>
      <fieldset className="add-members" aria-label={text.devices}>
        {found.isPending && <SkeletonRows count={4} label={words.loading} />}
        {found.isError && (
          <LoadFailed
            title={words.members.error_title}
            error={found.error}
            busy={found.isFetching}
            onRetry={() => void found.refetch()}
          />
        )}
        {found.data && items.length === 0 && (
          <p className="add-members-note">{found.data.facets.all === 0 ? text.none_at_all : text.none}</p>
        )}
        {free.length > 1 && (
          <div className="add-members-choice add-members-all">
            <Checkbox checked={allChosen} label={text.all(formatNumber(free.length))} onChange={toggleAll} />
          </div>
        )}
        {items.map((device) => (
          <Choice
            key={device.id}
            device={device}
            held={roleIn(swarm, device)}
            checked={chosen.has(device.id)}
            refused={refused.get(device.id)}
            onToggle={() => toggle(device.id)}
          />
        ))}
        {more > 0 && <p className="add-members-note">{text.more(formatNumber(more))}</p>}
      </fieldset>
    </Dialog>
  );
}

/** The role that it has in the swarm already. */
const roleIn = (swarm: SwarmItem, device: Device) => device.swarms.find(({ id }) => id === swarm.id)?.resource_type;

function Choice({
  device,
  held,
  checked,
  refused,
  onToggle,
}: {
  device: Device;
  /** Its role, where it is a member already. */
  held: MemberRole | undefined;
  checked: boolean;
  refused: string | undefined;
  onToggle(): void;
}) {
  return (
    <div className="add-members-choice">
      <Checkbox
        checked={checked || held !== undefined}
        disabled={held !== undefined}
        onChange={onToggle}
        label={
          <>
            <TypeBadge type={device.machine_type} small />
            <span className="add-members-name">
              <TruncateMiddle text={device.name} />
            </span>
            {held && <span className="add-members-held">{text.already(t.shell.roles[held])}</span>}
            {refused && <span className="add-members-bad">{refused}</span>}
          </>
        }
      />
    </div>
  );
}
