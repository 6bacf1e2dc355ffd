import { useState, type ReactNode } from 'react';
import { serverNow } from '../../data/server-clock.ts';
import type { Change } from '../../data/stream/changes.ts';
import { useChange } from '../../data/use-change.ts';
import { EndTime, formatEnd } from './until-date.tsx';
import { t } from '../../text/text.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { chosenEnd, consentLimits, firstEnd } from './end-choices.ts';
import { EndField, rejectedEnd } from './end-field.tsx';

/** The present end, as a sentence. */
export function PresentEnd({ ends_at }: { ends_at: string | undefined }) {
  if (ends_at === undefined) return t.ends.now_none;
  return <Rich text={t.ends.now} date={<EndTime at={ends_at} />} />;
}

interface ChangeEndProps {
  title: ReactNode;
  text: ReactNode;
  /** "Save" by default. */
  submit?: string;
  /** There is an end that can be removed. */
  isRemovable?: boolean;
  /** The latest possible end; undefined for any. */
  latest: string | undefined;
  /** Sends the end; null for none. */
  send(ends_at: string | null): Promise<unknown>;
  change: Change;
  onClose(): void;
}

/** The dialog that sets the end of a consent. */
export function ChangeEnd({
  title,
  text,
  submit: label = t.ends.save,
  isRemovable = false,
  latest,
  send,
  change,
  onClose,
}: ChangeEndProps) {
  const within = consentLimits(latest);
  const save = useChange(send, change);
  const [value, setValue] = useState(() => firstEnd(serverNow(), within));
  const [errors, setErrors] = useState<{ end?: string }>({});
  const rejected = rejectedEnd(save.error);
  const submit = () => {
    const end = chosenEnd(value, serverNow(), within);
    if (end === undefined)
      return setErrors({
        end: latest === undefined ? t.ends.wrong : t.ends.wrong_latest(formatEnd(latest, serverNow())),
      });
    setErrors({});
    save.mutate(end, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={title}
      description={text}
      submit={label}
      busy={save.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndField
        isOptional={isRemovable}
        value={value}
        error={errors.end ?? rejected}
        within={within}
        onChange={setValue}
      />
      <FormError error={rejected === undefined && save.error} />
    </FormDialog>
  );
}
