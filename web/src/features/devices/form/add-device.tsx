import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Position, Resource } from '@swarmdeck/bff/contract';
import { emptyDraft, type Draft } from '../../../data/forms/device-fields.ts';
import { userOf } from '../../../data/of-client.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../../ui/fields/form-error.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import type { Outcome } from '../../../ui/dialogs/use-closing.ts';
import { usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';
import { useAddDevice } from '../device-writes.api.ts';
import { readPosition } from './coordinates.ts';
import {
  checkDraft,
  DeviceFields,
  newDevice,
  problemErrors,
  remainingErrors,
  type DraftErrors,
} from './device-form.tsx';

interface AddDeviceProps {
  /** Fields to fill in when the dialog opens: with a name, unless the draft has one, or a position that was just chosen on the map. */
  fill: Partial<Draft>;
  /** Said above the fields, and read aloud when the dialog opens. */
  note?(position: Position | undefined): string;
  /** Starts to choose the position on the map, at the one of the form. Undefined where there is no map. */
  onPlace?(draft: Draft, at: Position | null): void;
  onClose(): void;
  onAdded(device: Resource): void;
}

/** The dialog that adds a device. The draft is stored until the device has been added (`usePersistedDraft`). */
export function AddDevice({ fill, note, onPlace, onClose, onAdded }: AddDeviceProps) {
  const { draft, setDraft, noteSent, noteStored, isOther, startOver } = useFilledDraft(fill);
  const { errors, rejected, reject, follow } = useDraftErrors();
  const create = useAddDevice();
  const { show } = useToasts();
  const outcome = useOutcome();
  const placeButton = useFocusOnceShown(fill.latitude !== undefined);

  const submit = () => {
    const device = newDevice(draft);
    reject(checkDraft(draft));
    if (!device) return;
    const added = create.mutateAsync(
      { device, onStored: () => noteStored(draft) },
      {
        // Not called after the dialog was closed.
        onSuccess(added) {
          if (added) return onAdded(added);
          show(waits());
          return onClose();
        },
        onError: (error) => reject(problemErrors(error).fields),
      },
    );
    // Also after the dialog was closed: otherwise the next one would add the device again.
    added.then(
      () => noteSent(draft),
      // Only the draft has it again.
      () => setDraft({}),
    );
  };
  /** The dialog is left without the device. */
  const noteDraft = () => {
    if (create.isPending) show({ title: t.device.add_dialog.is_sent, icon: 'clock' });
    else if (JSON.stringify(draft) !== JSON.stringify(emptyDraft))
      show({ title: t.device.add_dialog.stored, icon: 'info' });
  };
  const close = () => {
    if (!create.isPending) noteDraft();
    onClose();
  };
  const change = (next: Draft) => {
    setDraft(next);
    follow(next);
  };

  return (
    <FormDialog
      size="medium"
      title={t.device.add_dialog.title}
      description={
        <div className="stack gap-3">
          <OtherWays onLeave={noteDraft} />
          {isOther && <OtherDraft name={fill.name} onStartOver={() => follow(startOver())} />}
          {note && !isOther && (
            <Note tone="soft" icon="info">
              {note(readPosition(draft) ?? undefined)}
            </Note>
          )}
        </div>
      }
      submit={t.device.add_dialog.create}
      // Without a network it waits.
      sends={false}
      busy={create.isPending}
      closingNote={t.device.add_dialog.is_sent}
      outcome={outcome}
      isStored
      errors={rejected}
      onSubmit={submit}
      onClose={close}
    >
      <DeviceFields
        draft={draft}
        errors={errors}
        positionOptional
        onChange={change}
        placeButton={
          onPlace && (
            <Button icon="device" ref={placeButton} onClick={() => onPlace(draft, readPosition(draft) ?? null)}>
              {t.device.form.on_map}
            </Button>
          )
        }
      />
      <FormError error={problemErrors(create.error).isOther && create.error} />
    </FormDialog>
  );
}

/** The stored draft, with the fields that are filled in, unless it is that of another device. */
function useFilledDraft(fill: Partial<Draft>) {
  const [draft, setDraft, noteSent, noteStored] = usePersistedDraft(`device:${userOf(useQueryClient())}`, emptyDraft);
  /** The draft has another name than the device that should be added. */
  const [isOther, setOther] = useState(fill.name !== undefined && draft.name !== '' && draft.name !== fill.name);
  const fillIn = useEffectEvent(() => {
    if (!isOther && Object.keys(fill).length > 0) setDraft(fill);
  });
  useLayoutEffect(() => fillIn(), []);
  return {
    draft,
    setDraft,
    noteSent,
    noteStored,
    isOther,
    /** Returns the draft of the device that should be added. */
    startOver(): Draft {
      const next = { ...emptyDraft, ...fill };
      setOther(false);
      setDraft(next);
      return next;
    },
  };
}

/** The errors of the fields. `rejected`: those of the last try, of which the first field gets the focus. */
function useDraftErrors() {
  const [errors, setErrors] = useState<DraftErrors>({});
  const [rejected, setRejected] = useState<DraftErrors>({});
  return {
    errors,
    rejected,
    reject(found: DraftErrors) {
      setErrors(found);
      setRejected(found);
    },
    follow: (next: Draft) => setErrors(remainingErrors(errors, next)),
  };
}

/** A button that takes the focus after the dialog has focused its first field. */
function useFocusOnceShown(takesFocus: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  return button;
}

const waits = (): Outcome => ({ title: t.device.add_dialog.waits, icon: 'clock', about: 'outbox' });

/** What is said once a device was added whose dialog was closed. */
function useOutcome() {
  const navigate = useNavigate();
  return (data: unknown): Outcome => {
    const added = data as Resource | null;
    if (!added) return waits();
    return {
      title: <Rich text={t.device.add_dialog.added} name={<Bdi>{added.name}</Bdi>} />,
      icon: 'check',
      action: { label: t.shell.sending.open, onAction: () => void navigate(`/devices/${added.id}`) },
    };
  };
}

/** To import devices, or to share the position of a phone. */
function OtherWays({ onLeave }: { onLeave(): void }) {
  const { pathname } = useLocation();
  return (
    <p>
      <Rich
        text={t.device.add_dialog.text}
        import={
          <Link to="/import" onClick={onLeave}>
            {t.device.add_dialog.import}
          </Link>
        }
        phone={
          <Link to="/account#keys" state={{ share_phone: pathname }} onClick={onLeave}>
            {t.device.add_dialog.phone}
          </Link>
        }
      />
    </p>
  );
}

/** Says that the draft is that of another device than `name`. */
function OtherDraft({ name, onStartOver }: { name: string | undefined; onStartOver(): void }) {
  const startOver = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button goes.
    currentTarget.closest('dialog')?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    onStartOver();
  };
  return (
    <Note tone="warn" icon="info">
      {t.device.add_dialog.other}{' '}
      <Button size="row" onClick={startOver}>
        <Rich text={t.device.add_dialog.start_over} name={<Bdi>{name}</Bdi>} />
      </Button>
    </Note>
  );
}
