import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CreatedApiKey, Resource } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { ShownOnce } from '../../ui/pages/shown-once.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import type { Outcome } from '../../ui/dialogs/use-closing.ts';
import { keyOutcome } from './key-shown.tsx';
import { phoneKeyName, useCreateKey, useCreatePhone } from './keys.api.ts';
import { KeyForm } from './key-form.tsx';
import { OwnTracksCode, useKeyUse } from './owntracks-code.tsx';

interface PhoneDialogProps {
  /** If it is missing, one is added first. */
  device?: Resource;
  /** The path of the page that has asked for it, where the user goes on. */
  from?: string;
  onClose(): void;
}

/** Creates a key for a phone with the app OwnTracks, then shows what sets the app up. */
export function PhoneDialog({ device, from, onClose }: PhoneDialogProps) {
  const navigate = useNavigate();
  const add = useCreatePhone();
  const create = useCreateKey();
  const { show } = useToasts();
  const known = device ?? add.data;
  const isClosed = useRef(false);

  const share = async ({ name, ...end }: { name: string; expires_at?: string }) => {
    try {
      // A second attempt uses the device of the first.
      const { id } = known ?? (await add.mutateAsync({ name, machine_type: 'smartphone' }));
      // Nobody would see the key.
      if (isClosed.current) return;
      await create.mutateAsync({ resource_id: id, name: phoneKeyName, ...end });
    } catch {
      // The dialog shows the error.
    }
  };

  const addedOutcome = ({ id, name }: Resource): Outcome => ({
    title: <Rich text={t.device.add_dialog.added} name={<Bdi>{name}</Bdi>} />,
    icon: 'check',
    action: { label: t.shell.sending.open, onAction: () => void navigate(`/devices/${id}`) },
  });

  const cancel = () => {
    isClosed.current = true;
    // The device stays, although it has no key.
    if (add.data && !create.isPending) show(addedOutcome(add.data));
    onClose();
    if (from) void navigate(from);
  };

  if (known && create.data) {
    const close = () => {
      onClose();
      if (!device) void navigate(from?.startsWith('/join/') ? from : `/devices/${known.id}`);
    };
    return <PhoneSetup device_id={known.id} created={create.data} onClose={close} />;
  }
  // Closed while the device was being added, it creates no key.
  const outcome = (data: unknown): Outcome =>
    known ? keyOutcome(renderKeyOf(known))(data) : addedOutcome(data as Resource);
  return (
    <KeyForm
      title={t.connect.phone.action}
      description={t.connect.phone.text}
      submit={t.connect.phone.share}
      note={
        add.data &&
        create.error && (
          <p>
            <Rich text={t.connect.phone.no_key} name={<Bdi>{add.data.name}</Bdi>} />
          </p>
        )
      }
      name={known ? undefined : { label: t.device.form.name, value: t.links.join.phone_name }}
      until={t.connect.phone.until}
      busy={add.isPending || create.isPending}
      error={add.error ?? create.error}
      onSubmit={(made) => void share(made)}
      onClose={cancel}
      outcome={outcome}
    />
  );
}

const renderKeyOf =
  ({ id }: Resource) =>
  (created: CreatedApiKey, onClose: () => void) => <PhoneSetup device_id={id} created={created} onClose={onClose} />;

interface PhoneSetupProps {
  device_id: string;
  created: CreatedApiKey;
  onClose(): void;
}

function PhoneSetup({ device_id, created, onClose }: PhoneSetupProps) {
  const [isStored, setStored] = useState(false);
  const { isUsed } = useKeyUse(device_id, created);
  return (
    <ShownOnce
      title={t.connect.phone.ready}
      text={t.connect.phone.ready_text}
      texts={{ ...t.account.keys, ...t.connect.phone.stored }}
      isStored={isStored || isUsed}
      onStored={setStored}
      onClose={onClose}
    >
      <OwnTracksCode device_id={device_id} created={created} onOpen={() => setStored(true)} />
    </ShownOnce>
  );
}
