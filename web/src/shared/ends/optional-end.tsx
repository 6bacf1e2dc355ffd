import { useState } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import { t } from '../../text/text.ts';
import { chosenEnd, consentLimits, type ChosenEnd } from './end-choices.ts';
import { EndField } from './end-field.tsx';

const noEnd: ChosenEnd = { choice: 'none', date: '' };

export type OptionalEnd = ReturnType<typeof useOptionalEnd>;

/** The end of a consent that a form gives or offers: none until the user chooses one. */
export function useOptionalEnd() {
  const [value, setValue] = useState(noEnd);
  const [error, setError] = useState<string>();
  return {
    value,
    error,
    change(chosen: ChosenEnd) {
      setValue(chosen);
      setError(undefined);
    },
    clear: () => setValue(noEnd),
    /** As a part of a request. Undefined if the chosen end is not possible now, which the field says then. */
    read(): { ends_at?: string } | undefined {
      const found = chosenEnd(value, serverNow(), consentLimits(undefined));
      setError(found === undefined ? t.ends.wrong : undefined);
      return found === null ? {} : found === undefined ? undefined : { ends_at: found };
    },
  };
}

export function OptionalEndField({ end, hint }: { end: OptionalEnd; hint: string }) {
  const { value, error, change } = end;
  return (
    <EndField
      isOptional
      value={value}
      error={error}
      within={consentLimits(undefined)}
      {...(value.choice !== 'none' && { hint })}
      onChange={change}
    />
  );
}
