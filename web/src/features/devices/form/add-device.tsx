import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Position, Resource } from '@swarmdeck/bff/contract';
import { emptyDraft, type Draft } from '../../../data/forms/device-fields.ts';
import { userOf } from '../../../data/of-client.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { Link } from '../../../ui/router.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import type { Outcome } from '../../../ui/use-closing.ts';
import { usePersistedDraft } from '../../../ui/persisted-draft.ts';
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
  const placeButton = useRef<HTMLButtonElement>(null);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [rejected, setRejected] = useState<DraftErrors>({});
  const create = useAddDevice();
  const { show } = useToasts();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [draft, setDraft, noteSent, noteStored] = usePersistedDraft(`device:${userOf(useQueryClient())}`, emptyDraft);
  /** The draft has another name than the device that should be added. */
  const [isOther, setOther] = useState(fill.name !== undefined && draft.name !== '' && draft.name !== fill.name);
  const fillIn = useEffectEvent(() => {
    if (!isOther && Object.keys(fill).length > 0) setDraft(fill);
  });
  useLayoutEffect(() => fillIn(), []);
  const isPlaced = fill.latitude !== undefined;
  // After the dialog has focused its first field.
  useEffect(() => {
    if (isPlaced) placeButton.current?.focus();
  }, [isPlaced]);

  const reject = (found: DraftErrors) => {
    setErrors(found);
    setRejected(found);
  };
  const submit = () => {
    const device = newDevice(draft);
    const found = checkDraft(draft);
    reject(found);
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
  const waits = (): Outcome => ({ title: t.device.add_dialog.waits, icon: 'clock', about: 'outbox' });
  const outcome = (data: unknown): Outcome => {
    const added = data as Resource | null;
    if (!added) return waits();
    return {
      title: <Rich text={t.device.add_dialog.added} name={<Bdi>{added.name}</Bdi>} />,
      icon: 'check',
      action: { label: t.shell.sending.open, onAction: () => void navigate(`/devices/${added.id}`) },
    };
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
    setErrors(remainingErrors(errors, next));
  };
  const startOver = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button goes.
    currentTarget.closest('dialog')?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    setOther(false);
    change({ ...emptyDraft, ...fill });
  };

  return (
    <FormDialog
      size="medium"
      title={t.device.add_dialog.title}
      description={
        <div className="stack gap-3">
          <p>
            <Rich
              text={t.device.add_dialog.text}
              import={
                <Link to="/import" onClick={noteDraft}>
                  {t.device.add_dialog.import}
                </Link>
              }
              phone={
                <Link to="/account#keys" state={{ share_phone: pathname }} onClick={noteDraft}>
                  {t.device.add_dialog.phone}
                </Link>
              }
            />
          </p>
          {isOther && (
            <Note tone="warn" icon="info">
              {t.device.add_dialog.other}{' '}
              <Button size="row" onClick={startOver}>
                <Rich text={t.device.add_dialog.start_over} name={<Bdi>{fill.name}</Bdi>} />
              </Button>
            </Note>
          )}
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
