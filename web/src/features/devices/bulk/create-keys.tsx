import { useQueryClient } from '@tanstack/react-query';
import type { CreatedDeviceKeys } from '@swarmdeck/bff/contract';
import { escapeFormula, toLine } from '@swarmdeck/bff/device-export';
import { limits } from '@swarmdeck/bff/field-rules';
import { createShownOnce } from '../../../data/create-shown-once.ts';
import { useChange } from '../../../data/use-change.ts';
import type { SelectionCommand } from '../../../bulk/commands.tsx';
import '../../../shared/actions/failed-items.css';
import { problemSentence, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { ShownOnce } from '../../../ui/pages/shown-once.tsx';
import type { SelectedDevice } from './read-selected.ts';

function useCreateKeys() {
  const client = useQueryClient();
  return useChange(
    (resource_ids: string[]) =>
      createShownOnce<CreatedDeviceKeys>({ client, path: '/api/devices/keys', body: { resource_ids } }),
    { type: 'api_keys.changed', data: {} },
    { isShownOnce: true },
  );
}

/** Creates a key for each device, then offers them as a file, once. */
export const createKeys: SelectionCommand<SelectedDevice> = {
  texts: () => t.bulk.actions.create_keys,
  atMost: limits.membersAtOnce,
  Dialog({ items: devices, count, render, onClose }) {
    const create = useCreateKeys();
    if (create.data) return <KeysFile created={create.data} devices={devices} onClose={onClose} />;
    return render({
      concerned: { count: devices.length, others: count - devices.length },
      fields: <ActionError error={create.error} />,
      summary: null,
      isBusy: create.isPending,
      closingNote: t.account.keys.are_sent,
      outcome(data) {
        const created = data as CreatedDeviceKeys;
        return {
          title: t.bulk.device_keys.ready(created.items.length),
          renderShown: (close) => <KeysFile created={created} devices={devices} onClose={close} />,
        };
      },
      run: () => create.mutate(devices.map(({ id }) => id)),
    });
  },
};

interface KeysFileProps {
  created: CreatedDeviceKeys;
  devices: readonly SelectedDevice[];
  onClose(): void;
}

function KeysFile({ created: { items, failed }, devices, onClose }: KeysFileProps) {
  const text = { ...t.account.keys, ...t.bulk.device_keys };
  const nameOf = new Map(devices.map(({ id, name }) => [id, name]));
  const download = () => {
    const lines = items.map(({ device: { id, name }, key }) => toLine([id, escapeFormula(name), key], ','));
    // Without the byte order mark, spreadsheets do not read it as UTF-8.
    saveFile({ name: text.file_name, parts: ['\uFEFF', toLine(['id', 'name', 'key'], ','), ...lines] });
  };
  return (
    <ShownOnce title={t.bulk.device_keys.ready(items.length)} text={text.ready_text} texts={text} onClose={onClose}>
      <Button icon="download" data-autofocus onClick={download}>
        {text.download}
      </Button>
      {failed.length > 0 && (
        <section className="stack gap-1">
          <h3>{text.failed(failed.length)}</h3>
          <ul className="stack failed-items">
            {failed.map(({ id, code }) => (
              <li key={id}>
                <b>
                  <Bdi>{nameOf.get(id) ?? id}</Bdi>
                </b>
                <span className="muted">{code === 'key.too_many' ? text.too_many : problemSentence({ code })}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </ShownOnce>
  );
}
