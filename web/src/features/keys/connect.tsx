import { useQuery } from '@tanstack/react-query';
import { useState, type ComponentType } from 'react';
import type { ApiKey, CreatedApiKey, Resource } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';
import { Note } from '../../ui/toasts/notice.tsx';
import { deviceKeysQuery, useCreateKey } from './keys.api.ts';
import { KeyForm } from './key-form.tsx';
import { KeyShown, keyOutcome } from './key-shown.tsx';
import { ConnectCode, type DeviceRights } from './connect-code.tsx';

interface ConnectProps {
  device: Resource;
  rights: DeviceRights;
  /** The dialog that adds a device to an own swarm. */
  AddToSwarm: ComponentType<{ id: string; onClose(): void }>;
  onClose(): void;
}

/** Creates a key for one device, then shows it, once, in code that uses it. */
export function Connect({ device, rights, AddToSwarm, onClose }: ConnectProps) {
  const create = useCreateKey();
  const keys = useQuery(deviceKeysQuery(device.id)).data;
  const renderKey = (created: CreatedApiKey, close: () => void) => (
    <NewKey device={device} rights={rights} AddToSwarm={AddToSwarm} created={created} onClose={close} />
  );
  if (create.data) return renderKey(create.data, onClose);
  return (
    <KeyForm
      title={t.connect.create_title}
      description={t.connect.create_text}
      submit={t.account.keys.create}
      name={{ label: t.account.keys.name, value: freeName(device.name, keys) }}
      until={t.links.until}
      busy={create.isPending}
      error={create.error}
      note={
        !rights.sends &&
        !rights.receives && (
          <Note tone="warn" icon="warning">
            {t.connect.no_role.any}
          </Note>
        )
      }
      onSubmit={(made) => create.mutate({ resource_id: device.id, ...made })}
      onClose={onClose}
      outcome={keyOutcome(renderKey)}
    />
  );
}

/** The name of the device, with a number if another of its keys has that name already. */
function freeName(name: string, keys: readonly ApiKey[] = []): string {
  const taken = new Set(keys.map((key) => key.name));
  const names = [name, ...keys.map((_, index) => `${name} ${index + 2}`)];
  return names.find((one) => !taken.has(one) && one.length <= limits.nameLength) ?? name;
}

function NewKey({ device, rights, AddToSwarm, created, onClose }: ConnectProps & { created: CreatedApiKey }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <KeyShown created={created} text={t.connect.ready_text} onClose={onClose}>
      <ConnectCode device_id={device.id} created={created} rights={rights} onAdd={() => setAdding(true)} />
      {isAdding && <AddToSwarm id={device.id} onClose={() => setAdding(false)} />}
    </KeyShown>
  );
}
