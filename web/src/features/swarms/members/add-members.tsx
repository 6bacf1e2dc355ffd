import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Device, MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { linesOf, useJobState } from '../../../api/jobs/bulk-job.ts';
import type { ShownResult } from '../../../api/jobs/bulk-job.ts';
import { errorSentence } from '../../../api/problem.ts';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { allSelected, countSelected, isSelected, noSelection, selectIds, toggle } from '../../../ui/selection.ts';
import type { Selection } from '../../../ui/selection.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { PagedList } from '../../../ui/virtual-list.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { useErrorToast } from '../../../ui/toast.tsx';
import { ownDevicesQuery, readOwnDevices, rowsOf } from '../swarms.api.ts';
import './add-members.css';
import { useAddMembers } from './add-members.job.tsx';

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

  const { add, started, read, job, Progress } = useAdding(swarm);
  const running = job !== null && job.state !== 'ended';
  const failures = useMemo(
    () =>
      new Map(job && linesOf(job).flatMap(({ id, result }) => (result && !result.ok ? [[id, result] as const] : []))),
    [job],
  );
  const reasonOf = (result: ShownResult) => ('error' in result ? errorSentence(result.error) : t.invite.stopped);
  const [firstFailure] = failures.values();
  const ended = job?.state === 'ended' ? job.key : null;
  const [seen, setSeen] = useState(ended);
  if (ended !== seen) {
    setSeen(ended);
    // Selects the failed devices, so that they can be added again.
    if (failures.size > 0) setSelection(selectIds(failures.keys()));
  }
  const isDone = started && ended !== null && failures.size === 0;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);

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
          <Button
            look="primary"
            disabled={count === 0}
            busy={running || read !== null}
            onClick={() => void add({ q, role, selection, onStart: () => setSelection(noSelection) })}
          >
            {t.add_members.submit(count)}
          </Button>
          <Button onClick={onClose}>{running ? t.add_members.close : t.swarms.cancel}</Button>
          <output className="dialog-aside numbers">
            {read === null
              ? count > 0 && t.add_members.selected(formatNumber(count))
              : t.add_members.reading(formatNumber(read), formatNumber(total))}
          </output>
        </>
      }
    >
      <RoleChoice label={t.add_members.role} value={role} onChange={setRole} />
      <SearchField q={q} label={t.add_members.search} placeholder={t.add_members.search_hint} onChange={search} />
      {job && <Progress jobKey={job.key} bar />}
      <div role="alert">
        {ended !== null && firstFailure && (
          <p className="add-members-bad">
            {t.add_members.some_failed(failures.size)}. {reasonOf(firstFailure)}
          </p>
        )}
      </div>
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
            renderItem={(device, tabIndex) => {
              const failure = failures.get(device.id);
              return (
                <Choice
                  tabIndex={tabIndex}
                  device={device}
                  held={roleIn(swarm, device)}
                  checked={isSelected(selection, device.id)}
                  error={failure && reasonOf(failure)}
                  onToggle={() => setSelection(toggle(selection, device.id))}
                />
              );
            }}
          />
        )}
      </fieldset>
    </Dialog>
  );
}

/** Starts the job, and tracks the job that this dialog has started or found. */
function useAdding(swarm: SwarmItem) {
  const jobs = useAddMembers();
  const shown = useJobState(jobs, jobs.current);
  const showError = useErrorToast();
  /** The number of devices that have been read; null if they are not being read. */
  const [read, setRead] = useState<number | null>(null);
  const [started, setStarted] = useState(false);
  // The job of an earlier dialog, whose result is not shown here.
  const [old] = useState(() => (shown?.state === 'ended' ? shown.key : undefined));
  const closed = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    closed.current = controller;
    return () => controller.abort();
  }, []);

  async function idsOf({ q, selection, signal }: { q: string; selection: Selection; signal: AbortSignal }) {
    if (!selection.all) return [...selection.ids];
    const ids: string[] = [];
    let count = 0;
    for await (const { items } of readOwnDevices({ q, signal })) {
      for (const device of items) {
        if (isSelected(selection, device.id) && roleIn(swarm, device) === undefined) ids.push(device.id);
      }
      count += items.length;
      setRead(count);
    }
    return ids;
  }

  return {
    Progress: jobs.Progress,
    /** Whether this dialog has started a job. */
    started,
    read,
    job: shown && shown.key !== old && shown.about.swarm.id === swarm.id ? shown : null,
    async add({ role, onStart, ...what }: { q: string; role: MemberRole; selection: Selection; onStart(): void }) {
      const { signal } = closed.current;
      setRead(0);
      try {
        const ids = await idsOf({ ...what, signal });
        const { id, name } = swarm;
        setStarted(true);
        onStart();
        void jobs.start({ about: { swarm: { id, name }, role }, source: ids.map((device) => ({ id: device })) });
      } catch (error) {
        if (!signal.aborted) showError(error, t.add_members.not_read);
      } finally {
        setRead(null);
      }
    },
  };
}

/** The role of the device in the swarm. */
const roleIn = (swarm: SwarmItem, device: Device) => device.swarms.find(({ id }) => id === swarm.id)?.resource_type;

function Choice({
  tabIndex,
  device,
  held,
  checked,
  error,
  onToggle,
}: {
  tabIndex: 0 | -1;
  device: Device;
  /** The role if the device is a member already. */
  held: MemberRole | undefined;
  checked: boolean;
  error: string | undefined;
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
            {error && <span className="add-members-bad">{error}</span>}
          </>
        }
      />
    </div>
  );
}
