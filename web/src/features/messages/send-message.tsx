import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberPage, MessageSend, NamedItem, Resource, Swarm } from '@swarmdeck/bff/contract';
import { messageLimits } from '@swarmdeck/bff/field-rules';
import { exactValue, firstInexact } from '../../data/exact-payload.ts';
import { userOf } from '../../data/of-client.ts';
import { matchingNames } from '../../data/matching-names.ts';
import { SwarmCombobox } from '../../shared/swarm-combobox.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Field, TextArea } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { usePersistedDraft } from '../../ui/fields/persisted-draft.ts';
import { Select } from '../../ui/fields/select.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import { consumersQuery, useSendMessage } from './messages.api.ts';
import { saidByItself } from '../../ui/dialogs/use-closing.ts';

interface SendMessageProps {
  device: Resource;
  swarms: Swarm[];
  onClose(): void;
}

const everyone = '';
const example = '{"temperature": 21.5}';
/** `message_id`: of the message that was sent without an answer, so that a retry is the same message. */
const nothing = { text: '', swarm_id: everyone, to_id: everyone, to_name: '', message_id: '' };

/** Sends a message as the user's own device: to all its consumers, to those of a swarm, or to one of them. */
export function SendMessage({ device, swarms, onClose }: SendMessageProps) {
  const producing = swarms.filter(({ resources }) => resources.some((member) => isProducer(member, device.id)));
  const { draft, change, to, swarm, errors, submit, isSending, error } = useMessage({ device, producing, onClose });
  const { text, swarm_id } = draft;
  return (
    <FormDialog
      title={t.messages.send_title}
      description={t.messages.send_text}
      submit={t.messages.send_now}
      busy={isSending}
      outcome={saidByItself}
      isStored
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label={t.messages.payload}
        hint={t.messages.payload_hint}
        placeholder={example}
        error={errors.payload}
        data-autofocus
        dir="ltr"
        spellCheck={false}
        rows={5}
        value={text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <SwarmOfMessage
        producing={producing}
        chosen={swarm}
        error={errors.swarm}
        onChoose={(id) => change({ ...nothing, text, swarm_id: id })}
      />
      {swarm && swarm_id !== everyone && (
        <Recipient
          key={swarm_id}
          device={device}
          swarm_id={swarm_id}
          to={to}
          onChange={(one) => change({ to_id: one?.id ?? everyone, to_name: one?.name ?? '' })}
        />
      )}
      <FormError error={error} />
    </FormDialog>
  );
}

const isProducer = ({ resource_id, resource_type }: Swarm['resources'][number], id: string) =>
  resource_id === id && resource_type !== 'consumer';

interface MessageOptions extends Pick<SendMessageProps, 'device' | 'onClose'> {
  /** The swarms to which the device sends. */
  producing: Swarm[];
}

/** The message: what is typed and chosen of it, what is wrong with it, and sending it. */
function useMessage({ device, producing, onClose }: MessageOptions) {
  const toasts = useToasts();
  const sent = useSendMessage(device.id);
  // With the recipients: what was meant for one device must not be sent to all later.
  const [draft, setDraft, noteSent] = usePersistedDraft(`message:${userOf(useQueryClient())}:${device.id}`, nothing);
  const [errors, setErrors] = useState<{ payload?: string; swarm?: string }>({});
  /** Then it is another message, also if it is the same as before again. */
  const change = (next: Partial<typeof nothing>) => {
    setDraft({ ...next, message_id: '' });
    if (Object.keys(errors).length > 0) setErrors({});
  };
  const { text, swarm_id } = draft;
  const to = draft.to_id === everyone ? null : { id: draft.to_id, name: draft.to_name };
  // Undefined if the device no longer sends to it: what was meant for it must not be sent to all.
  const swarm = offeredOf(producing).find(({ id }) => id === swarm_id);

  const submit = () => {
    const read = text.trim() === '' ? { error: t.device.form.errors.missing } : readPayload(text);
    setErrors({
      ...('error' in read && { payload: read.error }),
      ...(!swarm && { swarm: producing.length === 0 ? t.messages.sends_nowhere : t.messages.swarm_left }),
    });
    if ('error' in read || !swarm) return;
    const body: MessageSend = { ...read, ...(swarm_id && { swarm_id }), ...(to && { to: to.id }) };
    const message_id = draft.message_id || crypto.randomUUID();
    setDraft({ message_id });
    const sending = sent.mutateAsync({ ...body, message_id }, { onSuccess: onClose });
    // Also after the dialog was closed: otherwise the next one would send the message again.
    sending.then(
      ({ swarms: reached, rate_exceeded }) => {
        noteSent({ ...draft, message_id });
        const title = to ? (
          <Rich text={t.messages.sent_to_device} name={<Bdi>{to.name}</Bdi>} />
        ) : (
          t.messages.sent_to_swarms(reached.length, rate_exceeded?.length)
        );
        toasts.show({ title, icon: 'check' });
      },
      () => undefined,
    );
  };
  return { draft, change, to, swarm, errors, submit, isSending: sent.isPending, error: sent.error };
}

/** All swarms to which the device sends, as one choice, and each of them. None if there are none. */
function offeredOf(producing: readonly NamedItem[]): readonly NamedItem[] {
  return producing.length === 0 ? [] : [{ id: everyone, name: t.messages.all_swarms }, ...producing];
}

interface SwarmOfMessageProps {
  producing: readonly Swarm[];
  chosen: NamedItem | undefined;
  error: string | undefined;
  onChoose(id: string): void;
}

function SwarmOfMessage({ producing, chosen, error, onChoose }: SwarmOfMessageProps) {
  const [q, setQ] = useState('');
  return (
    <SwarmCombobox
      label={t.messages.swarm}
      error={error}
      chosen={chosen}
      swarms={q === '' ? offeredOf(producing) : matchingNames(producing, q)}
      q={q}
      isSettled
      onSearch={setQ}
      onChoose={onChoose}
    />
  );
}

interface RecipientProps {
  device: Resource;
  swarm_id: string;
  /** Null: all consumers. */
  to: NamedItem | null;
  onChange(to: NamedItem | null): void;
}

/** Which consumers of a swarm get the message: all of them or one, which a search finds if they are many. */
function Recipient({ device, swarm_id, to, onChange }: RecipientProps) {
  const [q, setQ] = useState('');
  const consumers = useQuery({ ...consumersQuery(swarm_id, q), placeholderData: keepPreviousData });
  const { items = [], total = 0 } = consumers.data ?? {};
  const others = items.filter(({ id }) => id !== device.id);
  // Another search may not list the chosen one.
  const offered = to && !others.some(({ id }) => id === to.id) ? [to, ...others] : others;
  return (
    <>
      {(q !== '' || total > items.length) && (
        <SearchField q={q} label={t.members.search} placeholder={t.members.search_hint} onChange={setQ} />
      )}
      <Field label={t.messages.to} hint={consumers.data && q === '' && hintOf(consumers.data, others.length === 0)}>
        {(control) => (
          <Select
            {...control}
            value={to?.id ?? everyone}
            options={[
              { value: everyone, label: t.messages.all_consumers },
              ...offered.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => onChange(offered.find((each) => each.id === id) ?? null)}
          />
        )}
      </Field>
      {consumers.isError && <LoadFailedNote title={t.messages.consumers_failed} query={consumers} />}
    </>
  );
}

function hintOf({ items, total }: Pick<MemberPage, 'items' | 'total'>, hasNone: boolean) {
  if (hasNone) return t.messages.no_consumers;
  return items.length < total && t.messages.first_consumers(formatNumber(items.length), formatNumber(total));
}

/** The payload, or why the text is none. */
function readPayload(text: string): Pick<MessageSend, 'payload'> | { error: string } {
  try {
    const payload = exactValue(text);
    const inexact = firstInexact(text);
    if (inexact) return { error: t.messages.inexact(inexact.typed, inexact.sent) };
    const bytes = new TextEncoder().encode(JSON.stringify(payload)).length;
    if (bytes <= messageLimits.payloadBytes) return { payload };
    return { error: t.messages.too_large(formatNumber(messageLimits.payloadBytes / 1024)) };
  } catch {
    return { error: t.messages.not_json };
  }
}
