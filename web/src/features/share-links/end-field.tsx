import { t } from '../../text/text.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useNow } from '../../ui/time.tsx';
import { possibleChoices, type ChosenEnd } from './end-choices.ts';

interface EndFieldProps {
  value: ChosenEnd;
  error: string | undefined;
  /** In ms: the present end of a link that is made shorter. */
  latest?: number | undefined;
  onChange(value: ChosenEnd): void;
}

/** When a link ends. */
export function EndField({ value, error, latest, onChange }: EndFieldProps) {
  const now = useNow();
  const options = possibleChoices(now, latest).map((choice) => ({ value: choice, label: t.share_links.ends[choice] }));
  const isDate = value.choice === 'date';
  return (
    <>
      <Field label={t.share_links.until} error={isDate ? undefined : error}>
        {(control) => (
          <Select
            {...control}
            value={value.choice}
            options={options}
            onChange={(choice) => onChange({ ...value, choice })}
          />
        )}
      </Field>
      {isDate && (
        <TextField
          type="date"
          label={t.share_links.last_day}
          error={error}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
        />
      )}
    </>
  );
}
