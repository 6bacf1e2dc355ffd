import { useState } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { serverNow } from '../../../data/server-clock.ts';
import { deviceName } from '../../../shared/actions/answers.tsx';
import { chosenEnd, consentLimits, firstEnd } from '../../../shared/ends/end-choices.ts';
import { formatEnd } from '../../../shared/ends/until-date.tsx';
import { EndField } from '../../../shared/ends/end-field.tsx';
import { t } from '../../../text/text.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface AcceptUntilProps {
  item: InvitationItem;
  onAccept(endsAt: string): void;
  onClose(): void;
}

/** The dialog that accepts an invitation until a time. It is a time, so it stays the same if the answer is sent later. */
export function AcceptUntil({ item, onAccept, onClose }: AcceptUntilProps) {
  const within = consentLimits(item.ends_at);
  const [end, setEnd] = useState(() => firstEnd(serverNow(), within));
  const [errors, setErrors] = useState<{ end?: string }>({});
  const submit = () => {
    const endsAt = chosenEnd(end, serverNow(), within);
    const { wrong, wrong_latest } = t.ends;
    const { ends_at: latest } = item;
    // The field offers only choices with an end.
    if (!endsAt) return setErrors({ end: latest === undefined ? wrong : wrong_latest(formatEnd(latest, serverNow())) });
    onAccept(endsAt);
    onClose();
  };
  return (
    <FormDialog
      title={t.invitations.until.title}
      description={
        <Rich
          text={t.invitations.until.text}
          device={<Bdi>{deviceName(item)}</Bdi>}
          swarm={<Bdi>{item.swarm.name}</Bdi>}
        />
      }
      submit={t.invitations.accept}
      // The answer waits for the server.
      sends={false}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <EndField value={end} error={errors.end} within={within} onChange={setEnd} />
    </FormDialog>
  );
}
