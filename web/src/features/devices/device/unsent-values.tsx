import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceMerge, type DeviceValues } from '../../../data/forms/device-fields.ts';
import { useDeviceEdits } from '../../../data/outbox/device-outbox.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Offline } from '../../../ui/browser/offline.ts';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { deviceForm, draftValues, fieldText } from '../form/device-form.tsx';
import { discardEdit } from '../device-writes.api.ts';
import { useDevice } from './device-state.ts';
import './unsent-values.css';

type Values = Partial<DeviceValues>;

const textsOf = (values: Values) =>
  deviceMerge.fields
    .filter((field) => field in values)
    .map((field) => ({ field, label: deviceForm[field].label(), text: fieldText(field, values[field]) }));

/** The values of an edit that the server does not have. */
export function UnsentValues({ values }: { values: Values }) {
  return (
    <dl className="unsent-values">
      {textsOf(values).map(({ field, label, text }) => (
        <div key={field} className="unsent-value">
          <dt>{label}</dt>
          <dd>{text === '' ? <i>{t.device.conflict.empty}</i> : <Bdi>{text}</Bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Copies these values: one alone, several with their names. */
export function CopyValues({ values }: { values: Values }) {
  const texts = textsOf(values);
  const lines = texts.length === 1 ? [texts[0]!.text] : texts.map(({ label, text }) => `${label}: ${text}`);
  return <CopyButton size="row" text={lines.join('\n')} label={t.outbox.copy} />;
}

/** What was typed for a device that this user can no longer change, or waits for it. */
export function UnsentNote() {
  const { resource, user_id } = useDevice('shown');
  const { changed } = useDevice('draft');
  const edits = useDeviceEdits(user_id, resource.id);
  if (edits.length === 0 && changed.length === 0) return null;
  // A question is about the edits that it was asked for.
  return <NoteOf key={edits.map(({ id }) => id).join()} edits={edits} />;
}

function NoteOf({ edits }: { edits: ReturnType<typeof useDeviceEdits> }) {
  const client = useQueryClient();
  const { base, draft, undo } = useDevice('draft');
  const [isAsking, setAsking] = useState(false);
  const typed = deviceMerge.mineOf({ base, mine: draftValues({ base, draft }) });
  const values: Values = Object.assign({}, ...edits.map(({ task }) => deviceMerge.mineOf(task.change)), typed);
  const discard = () => {
    setAsking(false);
    for (const edit of edits) void discardEdit(client, edit);
    undo();
  };
  return (
    <Note tone="warn" icon="clock">
      <p>{t.outbox.not_stored}</p>
      <UnsentValues values={values} />
      <div className="line wraps">
        <CopyValues values={values} />
        <Button size="row" onClick={() => setAsking(true)}>
          {t.outbox.discard}
        </Button>
      </div>
      {isAsking && (
        // It is only in this browser.
        <Offline value={null}>
          <ConfirmDialog
            title={t.outbox.discard_title}
            description={t.outbox.discard_text}
            confirm={t.outbox.discard}
            onConfirm={discard}
            onClose={() => setAsking(false)}
          />
        </Offline>
      )}
    </Note>
  );
}
