import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { userNameRule } from '@swarmdeck/bff/field-rules';
import { handoverQuery, useEndOffer, useOfferDevice } from '../../../shared/handover/handover.api.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { LineField } from '../../../ui/fields/field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ActionError, FormError } from '../../../ui/fields/form-error.tsx';
import { LoadFailedNote } from '../../../ui/pages/load-failed.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { useErrorToast, useToasts } from '../../../ui/toasts/toast.tsx';
import type { Outcome } from '../../../ui/dialogs/use-closing.ts';
import './hand-over.css';

/** The dialog by which an own device is offered to another user, who takes it over. Until then, the offer can be undone. */
export function HandOverDialog({ device, user_id, onClose }: { device: Resource; user_id: string; onClose(): void }) {
  const offer = useOfferDevice(device.id);
  const undo = useEndOffer(device.id);
  const { show } = useToasts();
  const showError = useErrorToast();
  const [name, setName] = useState('');
  const [withHistory, setWithHistory] = useState(false);
  const [errors, setErrors] = useState<{ name?: string }>({});
  const to = name.trim().toLowerCase();
  const offered = (): Outcome => ({
    title: <Rich text={t.handover.offered} user={<Bdi>{to}</Bdi>} />,
    icon: 'check',
    action: {
      label: t.shell.kit.undo,
      // The dialog is closed, so only the promise reports an error.
      onAction: () => void undo.mutateAsync().catch((error: unknown) => showError(error)),
    },
  });
  const submit = () => {
    const wrong = !userNameRule.test(to) ? t.managers.name_wrong : to === user_id ? t.handover.name_own : undefined;
    setErrors(wrong === undefined ? {} : { name: wrong });
    if (wrong !== undefined) return;
    const onSuccess = () => {
      show(offered());
      onClose();
    };
    offer.mutate({ user_id: to, with_history: withHistory }, { onSuccess });
  };
  return (
    <FormDialog
      title={<Rich text={t.handover.title} device={<Bdi>{device.name}</Bdi>} />}
      description={<Effects withHistory={withHistory} />}
      submit={t.handover.offer}
      busy={offer.isPending}
      outcome={offered}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <LineField
        label={t.handover.name}
        hint={t.managers.name_unchecked}
        error={errors.name}
        value={name}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox label={t.handover.with_history} checked={withHistory} onChange={setWithHistory} />
      <FormError error={offer.error} />
    </FormDialog>
  );
}

/** What the other user sees now, and what happens if they accept. */
function Effects({ withHistory }: { withHistory: boolean }) {
  const { owner, swarms, ends, history, no_history } = t.handover.effects;
  return (
    <>
      <p>{t.handover.text}</p>
      <ul className="stack gap-1 hand-over-effects" aria-live="polite">
        {[owner, swarms, ends, withHistory ? history : no_history].map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </>
  );
}

/** To whom an own device is offered, and how to take that back. */
export function HandoverNote({ resource_id }: { resource_id: string }) {
  const query = useQuery(handoverQuery(resource_id));
  const { data: offer } = query;
  const end = useEndOffer(resource_id);
  if (query.isError && offer === undefined) return <LoadFailedNote title={t.handover.note_failed} query={query} />;
  if (!offer) return null;
  return (
    <Note icon="user">
      <span>
        <Rich
          text={offer.with_history ? t.handover.note_with_history : t.handover.note}
          user={<Bdi>{offer.user_id}</Bdi>}
          time={<Time at={offer.offered_at} />}
        />{' '}
        {t.managers.name_unchecked_short}
      </span>
      <Button size="row" sends busy={end.isPending} onClick={() => end.mutate()}>
        {t.handover.withdraw}
      </Button>
      <ActionError error={end.error} />
    </Note>
  );
}
