import { useState } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { t } from '../../text/text.ts';
import { useErrorFocus } from '../../ui/fields/field.tsx';
import { chosenEnd, consentLimits, type ChosenEnd } from './end-choices.ts';
import { EndField } from './end-field.tsx';
import './optional-end.css';

export const noEnd: ChosenEnd = { choice: 'none', date: '' };

type OptionalEnd = ReturnType<typeof useOptionalEnd>;

/** The end of a consent that a form gives or offers: none until the user chooses one. `stored`: where the form keeps it. */
export function useOptionalEnd(stored?: readonly [ChosenEnd, (chosen: ChosenEnd) => void]) {
  const own = useState(noEnd);
  const [value, setValue] = stored ?? own;
  /** A new object after each wrong end. */
  const [errors, setErrors] = useState<{ end?: string }>({});
  return {
    value,
    errors,
    change(chosen: ChosenEnd) {
      setValue(chosen);
      setErrors({});
    },
    clear: () => setValue(noEnd),
    /** As a part of a request. Undefined if the chosen end is not possible now, which the field says then. */
    read(): { ends_at?: string } | undefined {
      const found = chosenEnd(value, serverNow(), consentLimits(undefined));
      setErrors(found === undefined ? { end: t.ends.wrong } : {});
      return found === null ? {} : found === undefined ? undefined : { ends_at: found };
    },
  };
}

interface OptionalEndFieldProps {
  end: OptionalEnd;
  hint: string;
  /** Why the server has rejected the end. */
  rejected?: string | undefined;
}

export function OptionalEndField({ end, hint, rejected }: OptionalEndFieldProps) {
  const { value, errors, change } = end;
  const fields = useErrorFocus<HTMLDivElement>(errors);
  return (
    <div ref={fields} className="end-fields">
      <EndField
        isOptional
        value={value}
        error={errors.end ?? rejected}
        within={consentLimits(undefined)}
        {...(value.choice !== 'none' && { hint })}
        onChange={change}
      />
    </div>
  );
}
