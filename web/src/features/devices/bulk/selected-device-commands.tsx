/** What the commands on selected devices do (ui/keys/commands.ts). */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState, type ComponentProps, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { ActionSwarm, MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { deviceFile } from '@swarmdeck/bff/device-export';
import { limits, machineTypes } from '@swarmdeck/bff/field-rules';
import { inviteLink } from '../../../data/invite-link.ts';
import { swarmChoicesQuery } from '../../../data/cache/memberships.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { userOf } from '../../../data/of-client.ts';
import { textError } from '../../../data/text-errors.ts';
import { LabelChoice, useCodeLabel } from '../../../shared/code-label.tsx';
import { CountList } from '../../../shared/count-list.tsx';
import { createExport } from '../../../bulk/export-dialog.tsx';
import {
  ActionDialog,
  namedItems,
  selectionCommands,
  type Items,
  type SelectionCommand,
} from '../../../bulk/commands.tsx';
import { IntervalField } from '../../../shared/interval-field.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { matchingNames } from '../../../data/matching-names.ts';
import { SwarmCombobox } from '../../../shared/swarm-combobox.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { ButtonLink } from '../../../ui/buttons/button.tsx';
import { LoadFailedNote } from '../../../ui/pages/load-failed.tsx';
import { usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';
import { useUnsavedInput } from '../../../ui/fields/unsaved-input.ts';
import { useCopy } from '../../../ui/buttons/use-copy.ts';
import { TextArea } from '../../../ui/fields/field.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { Skeleton } from '../../../ui/pages/skeleton.tsx';
import { TypeGlyph } from '../../../ui/symbols/type-badge.tsx';
import { deviceSwarmsQuery } from './selected-devices.api.ts';
import { createKeys } from './create-keys.tsx';
import { printCodes } from './print-codes.tsx';
import { countInvitations, swarmsOf, type SelectedDevice } from './read-selected.ts';

const addToSwarm: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.add_to_swarm,
  usesFilter: true,
  Dialog(dialog) {
    const [about, choose] = useState<{ swarm: ActionSwarm; resource_type: MemberRole }>();
    const [q, setQ] = useState('');
    const query = useQuery(swarmChoicesQuery({ relation: 'owner', q }));
    const found = query.data;
    const resource_type = about?.resource_type ?? 'producer';
    const navigate = useNavigate();
    // A single device may join the new swarm at once.
    const [only] = dialog.filter || dialog.items.length !== 1 ? [] : dialog.items;
    const createWith = (name: string) => ({
      create: { name, ...(only && { device: { id: only.id, name: only.name } }) },
    });
    const fields = (
      <>
        <SwarmField
          value={about?.swarm}
          failed={query.isError ? query : undefined}
          swarms={found?.items}
          total={found?.total}
          q={q}
          isSettled={!query.isPlaceholderData}
          onSearch={setQ}
          none={<NoOwnSwarm create={createWith('')} />}
          more={[{ id: newSwarm, text: t.invite.new_swarm, icon: 'plus', isAction: true }]}
          onCreate={(name) => void navigate('/swarms', { state: createWith(name) })}
          onChange={(swarm) => choose(swarm && { swarm, resource_type })}
        />
        {about && (
          <RoleChoice
            label={t.bulk.role}
            value={resource_type}
            onChange={(next) => choose({ ...about, resource_type: next })}
          />
        )}
      </>
    );
    return (
      <ActionDialog
        dialog={dialog}
        about={about}
        fields={fields}
        concerns={(device, { swarm }) => !isIn(device, swarm)}
        actionOf={(items, to) => ({ kind: 'add_member', about: to, items: namedItems(items) })}
      />
    );
  },
};

const isIn = (device: SelectedDevice, swarm: ActionSwarm) => device.swarms.some(({ id }) => id === swarm.id);

const leaveSwarm: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.leave_swarm,
  usesFilter: true,
  Dialog(dialog) {
    const { items, filter } = dialog;
    const [swarm, choose] = useState<ActionSwarm>();
    const found = useQuery({ ...deviceSwarmsQuery(filter?.query ?? ''), enabled: filter !== undefined });
    const [q, setQ] = useState('');
    const all = filter ? found.data : swarmsOf(items);
    const swarms = all && matchingNames(all, q);
    const fields = (
      <SwarmField
        value={swarm}
        failed={found.isError ? found : undefined}
        swarms={swarms?.map(({ id, name, count }) => ({
          id,
          name,
          ...(!filter && { end: t.bulk.swarm_devices(count) }),
        }))}
        q={q}
        isSettled
        onSearch={setQ}
        none={<p>{t.bulk.no_joined_swarm}</p>}
        onChange={choose}
      />
    );
    return (
      <ActionDialog
        dialog={dialog}
        fields={fields}
        about={swarm}
        concerns={isIn}
        actionOf={(left, from) => ({ kind: 'remove_member', about: { swarm: from }, items: namedItems(left) })}
      />
    );
  },
};

/** `create`: what the page of swarms is asked to do. */
function NoOwnSwarm({ create }: { create: object }) {
  return (
    <div className="stack gap-3 starts">
      <p>{t.bulk.no_own_swarm}</p>
      <ButtonLink icon="plus" to="/swarms" state={create}>
        {t.swarms.list.create}
      </ButtonLink>
    </div>
  );
}

interface SwarmFieldProps extends Omit<ComponentProps<typeof SwarmCombobox>, 'label' | 'chosen' | 'onChoose'> {
  value: ActionSwarm | undefined;
  /** Replaces the field if there are none. */
  none: ReactNode;
  onChange(swarm: ActionSwarm | undefined): void;
  /** With the name that was searched. */
  onCreate?(name: string): void;
}

/** The id of the option that creates a swarm. */
const newSwarm = 'new';

/** Chooses one of several swarms; none at first. If there is only one, it is chosen. */
function SwarmField({ value, none, onChange, onCreate, ...field }: SwarmFieldProps) {
  const { swarms, total = swarms?.length, q, failed } = field;
  const only = q === '' && total === 1 ? swarms?.[0] : undefined;
  const choose = (id: string) => {
    const chosen = swarms?.find((swarm) => swarm.id === id);
    onChange(chosen && { id: chosen.id, name: chosen.name });
  };
  const chooseOnly = useEffectEvent((id: string) => value === undefined && choose(id));
  const onlyId = only?.id;
  useEffect(() => {
    if (onlyId !== undefined) chooseOnly(onlyId);
  }, [onlyId]);
  useUnsavedInput(value !== undefined && !only);
  if (failed && !swarms && q === '') return <LoadFailedNote query={failed} />;
  if (!swarms && q === '') return <Skeleton width="100%" height="36px" />;
  if (swarms?.length === 0 && q === '') return none;
  return (
    <SwarmCombobox
      {...field}
      label={t.bulk.swarm}
      chosen={value}
      onChoose={(id, typed) => (id === newSwarm ? onCreate?.(typed.trim()) : choose(id))}
    />
  );
}

const setType: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.set_type,
  usesFilter: true,
  Dialog(dialog) {
    const [machine_type, choose] = useState<MachineType>();
    const fields = (
      <Segmented<MachineType>
        label={t.bulk.type}
        value={machine_type ?? ''}
        hint={t.device.form.machine_type_hint}
        options={machineTypes.map((value) => ({
          value,
          label: t.shell.machine_types[value],
          icon: <TypeGlyph type={value} />,
        }))}
        onChange={choose}
      />
    );
    return (
      <ActionDialog
        dialog={dialog}
        fields={fields}
        about={machine_type}
        concerns={(device, type) => device.machine_type !== type}
        actionOf={(items, type) => ({ kind: 'update', about: { machine_type: type }, items: namedItems(items) })}
      />
    );
  },
};

const setDescription: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.set_description,
  usesFilter: true,
  Dialog(dialog) {
    const { items, filter } = dialog;
    // What was typed for some devices must not be offered for others.
    const devices = JSON.stringify(filter ?? items.map(({ id }) => id).toSorted());
    const name = `descriptions:${userOf(useQueryClient())}:${devices}`;
    const [draft, setDraft, noteSent] = usePersistedDraft(name, { text: '' });
    const typed = draft.text;
    const error = textError(typed, limits.descriptionLength);
    const others = items.filter(({ description }) => description && description !== typed).length;
    const fields = (
      <TextArea
        label={t.bulk.description}
        rows={3}
        error={error}
        hint={
          others > 0
            ? (typed === '' ? t.bulk.undescribed : t.bulk.described)(others)
            : !error && t.text_errors.too_long(formatNumber(limits.descriptionLength))
        }
        data-stored
        value={typed}
        onChange={({ currentTarget: { value } }) => setDraft({ text: value })}
      />
    );
    return (
      <ActionDialog
        dialog={dialog}
        fields={fields}
        about={error === undefined ? typed : undefined}
        concerns={({ description = '' }, next) => description !== next}
        confirm={typed === '' ? t.bulk.remove_descriptions : undefined}
        actionOf={(items, next) => ({
          kind: 'update',
          about: { description: next || null },
          items: namedItems(items),
        })}
        onStored={() => noteSent(draft)}
      />
    );
  },
};

const setExpected: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.set_expected,
  usesFilter: true,
  Dialog(dialog) {
    const [expected_every, choose] = useState<number | null>(null);
    const fields = (
      <IntervalField
        value={expected_every ?? undefined}
        none={t.device.form.not_expected}
        never={t.device.form.never_expected}
        hint={t.device.form.expected_hint}
        onChange={(seconds) => choose(seconds ?? null)}
      />
    );
    return (
      <ActionDialog
        dialog={dialog}
        fields={fields}
        about={expected_every}
        actionOf={(items, every) => ({ kind: 'update', about: { expected_every: every }, items: namedItems(items) })}
      />
    );
  },
};

/** Sends nothing. */
const copyCodes: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.copy_codes,
  Dialog({ items, render }) {
    const text = t.bulk.actions.copy_codes;
    const copy = useCopy();
    const labels = useCodeLabel();
    const codes = () =>
      items.map(({ id, user_id, name }) =>
        inviteLink({ origin: location.origin, to: user_id, resource_id: id, label: labels.labelOf(name) }),
      );
    return render({
      concerned: { count: items.length, others: 0 },
      fields: <LabelChoice labels={labels} />,
      summary: null,
      run: () => copy(codes().join('\n'), text.done(items.length)),
    });
  },
};

const exportDevices = createExport<SelectedDevice>({
  texts: () => t.bulk.actions.export,
  fileName: () => t.bulk.file_name,
  partsOf: deviceFile,
});

const deleteDevices: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.delete,
  typedFrom: 100,
  usesFilter: true,
  Dialog: (dialog) => (
    <ActionDialog
      dialog={dialog}
      about={{}}
      actionOf={(items, about) => ({ kind: 'delete', about, items: namedItems(items) })}
      Summary={DeleteSummary}
    />
  ),
};

/** Which swarms and open invitations are affected. */
function DeleteSummary({ items: devices, filter }: Items<SelectedDevice>) {
  const swarms = swarmsOf(devices);
  const inSwarms = devices.filter((device) => device.swarms.length > 0).length;
  const invitations = useQuery({
    queryKey: queryKeys.invitations.ofDevices(useId()),
    queryFn: ({ signal }) => countInvitations({ devices, signal }),
    enabled: !filter,
    gcTime: 0,
  });
  if (filter) return <p>{t.bulk.invitations_rejected}</p>;
  return (
    <>
      <div>
        {swarms.length === 0 ? t.bulk.no_swarm : t.bulk.leaves(inSwarms)}
        {swarms.length > 0 && <CountList groups={swarms} line={t.bulk.device_line} />}
      </div>
      <p aria-live="polite">
        {invitations.isPending
          ? t.bulk.looking
          : !invitations.data
            ? t.bulk.invitations_unknown
            : invitations.data.count === 0 && !invitations.data.isMore
              ? t.bulk.no_invitations
              : t.bulk.invitations(invitations.data.count, invitations.data.isMore)}
      </p>
    </>
  );
}

export const selectedDeviceCommands = selectionCommands<'device_selection', SelectionCommand<SelectedDevice>>(
  'device_selection',
  {
    add_to_swarm: addToSwarm,
    leave_swarm: leaveSwarm,
    set_type: setType,
    set_description: setDescription,
    set_expected: setExpected,
    copy_codes: copyCodes,
    print_codes: printCodes,
    create_keys: createKeys,
    export: exportDevices,
    delete: deleteDevices,
  },
);
