import { useState } from 'react';
import type { ReactNode } from 'react';
import { formatClock, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { phone, useMedia } from '../../../ui/media.ts';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { words } from '../device-words.ts';
import { writeCoordinate } from '../form/device-form.ts';
import { valuesOf } from '../form/device-merge.ts';
import type { DeviceField, DeviceValues } from '../form/device-merge.ts';
import './conflict-dialog.css';
import type { Saved } from './device-save.ts';

type Choices = Partial<Record<DeviceField, 'mine' | 'theirs'>>;

const text = words.conflict;
const labels: Record<DeviceField, string> = {
  name: words.form.name,
  machine_type: words.form.machine_type,
  description: words.form.description,
  position: words.form.position,
};

/** Fields changed on both sides, and only these: mine, theirs, and what was there before. */
export function ConflictDialog({
  found,
  saving,
  onChoose,
  onBack,
}: {
  found: Extract<Saved, { kind: 'conflict' }>;
  saving: boolean;
  onChoose(choices: Choices): void;
  onBack(): void;
}) {
  const { conflicts, kept } = found.merge;
  const { modified_at = found.theirs.at } = found.theirs.resource;
  const [choices, setChoices] = useState<Choices>({});
  const short = useMedia(phone);
  const allTheirs = Object.fromEntries(conflicts.map(({ field }) => [field, 'theirs' as const]));
  return (
    <Dialog
      size="large"
      title={text.title(conflicts.length)}
      description={text.text(formatClock(modified_at))}
      onClose={onBack}
      footer={
        <>
          <Button look="primary" busy={saving} onClick={() => onChoose(choices)}>
            {text.save}
          </Button>
          <Button onClick={() => onChoose(allTheirs)}>{text.theirs_all}</Button>
          <Button onClick={onBack}>
            {short ? text.back_short : text.back} <KeyHint keys="Esc" />
          </Button>
          <span className="dialog-aside">{text.stays}</span>
        </>
      }
    >
      {conflicts.map(({ field, mine, theirs, before }) => (
        <fieldset key={field} className="conflict">
          <legend>{labels[field]}</legend>
          <div className="conflict-sides">
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side} className="conflict-side">
                <input
                  type="radio"
                  name={field}
                  checked={(choices[field] ?? 'mine') === side}
                  onChange={() => setChoices({ ...choices, [field]: side })}
                />
                <span>
                  <b>{text[side]}</b>
                  <FieldValue field={field} value={side === 'mine' ? mine : theirs} />
                </span>
              </label>
            ))}
            <div className="conflict-before">
              <b>{text.before}</b>
              <FieldValue field={field} value={before} />
            </div>
          </div>
        </fieldset>
      ))}
      {kept.length > 0 && (
        <Note icon="check">
          <Rich text={text.kept} list={<KeptList fields={kept} values={valuesOf(found.theirs.resource)} />} />
        </Note>
      )}
    </Dialog>
  );
}

function FieldValue({ field, value }: { field: DeviceField; value: DeviceValues[DeviceField] }) {
  if (value === undefined || value === '') return <span className="conflict-none">{text.empty}</span>;
  if (typeof value === 'object') {
    return (
      <bdi className="numbers">
        {writeCoordinate(value.latitude)}, {writeCoordinate(value.longitude)}
      </bdi>
    );
  }
  return field === 'machine_type' ? <span>{nameOfType(value)}</span> : <bdi className="conflict-text">{value}</bdi>;
}

const nameOfType = (value: string) => t.shell.machine_types[value as DeviceValues['machine_type']];

function KeptList({ fields, values }: { fields: DeviceField[]; values: DeviceValues }) {
  return fields.map((field, index): ReactNode => {
    const name = <b>{text.fields[field]}</b>;
    return (
      <span key={field}>
        {index > 0 && '; '}
        {field === 'name' ? (
          <Rich text={text.kept_name} field={name} value={<Bdi>{values.name}</Bdi>} />
        ) : (
          <Rich text={text.kept_field} field={name} />
        )}
      </span>
    );
  });
}
