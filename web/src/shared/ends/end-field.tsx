import { errorSentence, ProblemError } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Field, TextField } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { useNow } from '../../ui/texts/time.tsx';
import { possibleChoices, type ChosenEnd, type EndLimits } from './end-choices.ts';

interface EndFieldProps {
  value: ChosenEnd;
  error: string | undefined;
  within: EndLimits;
  /** It may have none. */
  isOptional?: boolean;
  hint?: string;
  onChange(value: ChosenEnd): void;
}

/** When a link or a consent ends. */
export function EndField({ value, error, within, isOptional = false, hint, onChange }: EndFieldProps) {
  const now = useNow();
  const choices = [...(isOptional ? (['none'] as const) : []), ...possibleChoices(now, within, value.choice)];
  const options = choices.map((choice) => ({ value: choice, label: t.ends.choices[choice] }));
  const typed = value.choice === 'date' || value.choice === 'time' ? value.choice : undefined;
  return (
    <>
      <Field label={t.ends.until} hint={hint} error={typed ? undefined : error}>
        {(control) => (
          <Select
            {...control}
            value={value.choice}
            options={options}
            onChange={(choice) => onChange({ ...value, choice, date: '' })}
          />
        )}
      </Field>
      {typed && (
        <TextField
          key={typed}
          type={typed}
          label={typed === 'date' ? t.ends.last_day : t.ends.time}
          error={error}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** What the field says if the server has rejected the end that was sent. */
export const rejectedEnd = (error: unknown): string | undefined =>
  error instanceof ProblemError && error.field('/ends_at') !== undefined ? errorSentence(error) : undefined;
