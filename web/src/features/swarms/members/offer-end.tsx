import { useState } from 'react';
import type { Member, SwarmItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { PresentEnd } from '../../../shared/ends/change-end.tsx';
import { chosenEnd, consentLimits, firstEnd, type ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { EndField } from '../../../shared/ends/end-field.tsx';
import { t } from '../../../text/text.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

/** The form for many members: what it begins with, and the chosen end, if it is possible now and later than the present one. */
export const laterEnds = {
  initial: { choice: 'day', date: '' } satisfies ChosenEnd,
  of: (chosen: ChosenEnd, present?: string) =>
    chosenEnd(chosen, serverNow(), consentLimits(undefined, present)) ?? undefined,
};

interface LaterEndFieldProps {
  value: ChosenEnd;
  onChange(chosen: ChosenEnd): void;
}

export const LaterEndField = ({ value, onChange }: LaterEndFieldProps) => (
  <EndField value={value} error={undefined} within={consentLimits(undefined)} onChange={onChange} />
);

interface OfferEndProps {
  swarm: SwarmItem;
  member: Member;
  onClose(): void;
}

/** The dialog that offers the owner of a member a later end. */
export function OfferEnd({ swarm, member: { id, name, user_id, ends_at }, onClose }: OfferEndProps) {
  const { start } = useActionRequests();
  const within = consentLimits(undefined, ends_at);
  const [end, setEnd] = useState(() => firstEnd(serverNow(), within));
  const [errors, setErrors] = useState<{ end?: string }>({});
  const texts = t.ends;
  const submit = () => {
    const endsAt = chosenEnd(end, serverNow(), within);
    // The field offers only choices with an end.
    if (!endsAt) return setErrors({ end: texts.wrong_later });
    const about = { swarm: { id: swarm.id, name: swarm.name }, ends_at: endsAt };
    void start({ kind: 'offer_end', about, items: [{ id, name }] });
    onClose();
  };
  return (
    <FormDialog
      title={<Rich text={texts.offer_title} name={<Bdi>{name}</Bdi>} />}
      description={
        <>
          <PresentEnd ends_at={ends_at} /> <Rich text={texts.offer_text} owner={<Bdi>{user_id}</Bdi>} />
        </>
      }
      submit={texts.offer_submit}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndField value={end} error={errors.end} within={within} onChange={setEnd} />
    </FormDialog>
  );
}
