import { useState, type ReactNode } from 'react';
import { valuesOf, type DeviceField, type DeviceValues } from '../../../data/forms/device-fields.ts';
import type { Choices, ConflictFound } from '../../../data/forms/merge-fields.ts';
import { formatClock, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { KeyHint } from '../../../ui/keys/keys-provider.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { deviceForm, fieldText } from '../form/device-form.tsx';
import type { DeviceRecord } from '../device.api.ts';
import '../../../ui/pages/box.css';
import './conflict-dialog.css';

interface ConflictDialogProps {
  found: ConflictFound<DeviceValues, DeviceRecord>;
  saving: boolean;
  onChoose(choices: Choices<DeviceValues>): void;
  onBack(): void;
}

/** The fields that both sides changed: mine, theirs, and the value before. */
export function ConflictDialog({ found, saving, onChoose, onBack }: ConflictDialogProps) {
  const { conflicts, theirs: merged } = found.merge;
  const { modified_at = found.theirs.at } = found.theirs.resource;
  const [choices, setChoices] = useState<Choices<DeviceValues>>({});
  const short = useMedia(phone);
  const allTheirs = Object.fromEntries(conflicts.map(({ field }) => [field, 'theirs' as const]));
  return (
    <Dialog
      size="large"
      title={t.device.conflict.title(conflicts.length)}
      description={t.device.conflict.text(formatClock(modified_at))}
      onClose={onBack}
      footer={
        <>
          <Button look="primary" busy={saving} onClick={() => onChoose(choices)}>
            {t.device.conflict.save}
          </Button>
          <Button onClick={() => onChoose(allTheirs)}>{t.device.conflict.theirs_all}</Button>
          <Button onClick={onBack}>
            {short ? t.device.conflict.back_short : t.device.conflict.back} <KeyHint keys="Esc" />
          </Button>
          <span className="quiet to-end">{t.device.conflict.stays}</span>
        </>
      }
    >
      {conflicts.map(({ field, mine, theirs, before }) => (
        <fieldset key={field} className="conflict">
          <legend>{deviceForm[field].label()}</legend>
          <div className="conflict-sides">
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side} className="frame choice conflict-side">
                <input
                  type="radio"
                  name={field}
                  checked={(choices[field] ?? 'mine') === side}
                  onChange={() => setChoices({ ...choices, [field]: side })}
                />
                <span>
                  <b>{t.device.conflict[side]}</b>
                  <FieldValue field={field} value={side === 'mine' ? mine : theirs} />
                </span>
              </label>
            ))}
            <div className="frame conflict-before">
              <b>{t.device.conflict.before}</b>
              <FieldValue field={field} value={before} />
            </div>
          </div>
        </fieldset>
      ))}
      {merged.length > 0 && (
        <Note icon="check">
          <Rich
            text={t.device.conflict.merged}
            list={<MergedList fields={merged} values={valuesOf(found.theirs.resource)} />}
          />
        </Note>
      )}
    </Dialog>
  );
}

function FieldValue<Field extends DeviceField>({ field, value }: { field: Field; value: DeviceValues[Field] }) {
  const text = fieldText(field, value);
  if (text === '') return <span className="conflict-none">{t.device.conflict.empty}</span>;
  return <Bdi className="conflict-text">{text}</Bdi>;
}

function MergedList({ fields, values }: { fields: DeviceField[]; values: DeviceValues }) {
  return fields.map((field, index): ReactNode => {
    const name = <b>{t.device.conflict.fields[field]}</b>;
    return (
      <span key={field}>
        {index > 0 && '; '}
        {field === 'name' ? (
          <Rich text={t.device.conflict.merged_name} field={name} value={<Bdi>{values.name}</Bdi>} />
        ) : (
          <Rich text={t.device.conflict.merged_field} field={name} />
        )}
      </span>
    );
  });
}
