import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { userOf } from '../../../data/of-client.ts';
import { textError } from '../../../data/text-errors.ts';
import type { ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { OptionalEndField, useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { ShownByLinksField, useShownByLinks } from '../../../shared/shown-by-links.tsx';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { Flow } from '../../../shared/flow.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TextArea } from '../../../ui/fields/field.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { DeviceChoice, useDeviceChoice } from '../members/device-choice.tsx';
import { AddingDeviceProvider, useAddDeviceDialog } from './adding-device.ts';
import { requestsQuery } from './requests.api.ts';

const nothing: Draft = { message: '', choice: 'none', date: '' };

/** What the dialog has again until it is sent. A type, not an interface, because a draft is a record. */
type Draft = { message: string } & Pick<ChosenEnd, keyof ChosenEnd>;

interface AskDialogProps {
  swarm: SwarmItem;
  onClose(): void;
  children?: ReactNode;
}

/** Asks to join a swarm: with which devices, in which role, and why. It says first who sees what. */
export function AskDialog({ swarm, onClose, children }: AskDialogProps) {
  const [draft, setDraft, noteSent] = usePersistedDraft(`ask:${userOf(useQueryClient())}:${swarm.id}`, nothing);
  const { message, choice: endChoice, date } = draft;
  const [role, setRole] = useState<MemberRole>('producer');
  const [isAdding, setAdding] = useState(false);
  const open = useQuery(requestsQuery({ swarm_id: swarm.id, box: 'sent' })).data?.items ?? [];
  const choice = useDeviceChoice(swarm.id, new Set(open.map(({ resource_id }) => resource_id)));
  const { start } = useActionRequests();
  const { count } = choice.checked;
  const addDeviceDialog = useAddDeviceDialog().dialog;
  const error = textError(message, limits.descriptionLength);
  const end = useOptionalEnd([{ choice: endChoice, date }, setDraft]);
  const shown = useShownByLinks();
  const ask = () => {
    const until = end.read();
    if (!until) return;
    const text = message.trim();
    const about = {
      swarm: { id: swarm.id, name: swarm.name },
      resource_type: role,
      ...(text !== '' && { message: text }),
      ...until,
      ...shown.terms,
    };
    // Also after the dialog was closed: until then, the next one has what was typed.
    void start({ kind: 'ask_to_join', about, ...choice.items() }, crypto.randomUUID(), () => noteSent(draft));
    onClose();
  };
  return (
    <>
      <Dialog
        title={<Rich text={t.requests.dialog_title} swarm={<Bdi>{swarm.name}</Bdi>} />}
        onClose={onClose}
        footer={
          <>
            <Button look="primary" sends disabled={count === 0 || error !== undefined} onClick={ask}>
              {t.requests.submit(count)}
            </Button>
            <Button onClick={onClose}>{t.shell.kit.cancel}</Button>
            <output className="quiet numbers to-end">{count > 0 && t.add_members.selected(formatNumber(count))}</output>
          </>
        }
      >
        {children}
        <Note icon="eye">
          <ConsentLines text={t.requests.consent}>
            <Flow swarm={swarm} role={role} />
          </ConsentLines>
        </Note>
        <RoleChoice label={t.links.role} value={role} onChange={setRole} />
        <div className="line wraps spread">
          <b>{t.links.join.devices}</b>
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {t.links.join.add}
          </Button>
        </div>
        <DeviceChoice choice={choice} none={t.links.join.none} role={role} />
        <TextArea
          label={t.requests.message}
          optional
          error={error}
          data-stored
          value={message}
          onChange={(event) => setDraft({ message: event.currentTarget.value })}
        />
        <OptionalEndField end={end} hint={t.ends.hints.ask} />
        <ShownByLinksField devices={count} {...shown} />
      </Dialog>
      {isAdding && (
        <AddingDeviceProvider
          onClose={() => setAdding(false)}
          onAdded={(device) => {
            setAdding(false);
            choice.add(device);
          }}
        >
          {addDeviceDialog}
        </AddingDeviceProvider>
      )}
    </>
  );
}
