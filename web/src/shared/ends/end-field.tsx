import { t } from '../../text/text.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useNow } from '../../ui/time.tsx';
import { possibleChoices, type ChosenEnd, type EndLimits } from './end-choices.ts';

interface EndFieldProps {
  value: ChosenEnd;
  error: string | undefined;
  within: EndLimits;
  onChange(value: ChosenEnd): void;
}

/** When a link or a consent ends. */
export function EndField({ value, error, within, onChange }: EndFieldProps) {
  const now = useNow();
  const options = possibleChoices(now, within).map((choice) => ({ value: choice, label: t.share_links.ends[choice] }));
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
