import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedWebhook, WebhookResult } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { read, send } from '../../data/client.ts';
import { errorSentence } from '../../data/problem.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { formatClockSeconds } from '../../text/formats.ts';
import { t, textFor } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { CodeBlock } from '../../ui/texts/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { ShownOnce } from '../../ui/pages/shown-once.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { useErrorToast } from '../../ui/toasts/toast.tsx';
import { SectionState } from '../../shared/section-state.tsx';
import './webhook.css';

const path = '/api/account/webhook';
/** In ms, while a notice is on its way: results have no event. */
const resultInterval = 2000;

export const webhookQuery = queryOptions({
  queryKey: accountKeys.webhook,
  queryFn: ({ signal }) => read(path, {}, { signal }),
  refetchInterval: ({ state: { data } }) => data?.webhook?.results.some(isOnItsWay) === true && resultInterval,
  refetchOnWindowFocus: 'always',
});

/** Its first attempt has not ended. One that has failed is tried again after minutes: nobody waits for that. */
const isOnItsWay = ({ state, answer }: WebhookResult) => state === 'waiting' && answer === null;

/** When the next attempt begins, unless it has begun or may begin now. */
function nextAttempt({ attempts, answer, next_at }: WebhookResult, now: number): string | undefined {
  const isSent = attempts > 0 && answer === null;
  return next_at === null || isSent || Date.parse(next_at) <= now ? undefined : next_at;
}

const changed = { type: 'webhook.changed', data: {} } as const;

/** The address to which the server sends the user's notices, and the last results. */
export function Webhook({ id }: { id: string }) {
  const text = t.account.webhook;
  const query = useQuery(webhookQuery);
  const showError = useErrorToast();
  const [open, setOpen] = useState<'address' | 'remove' | null>(null);
  const test = useChange(() => send({ method: 'POST', path: `${path}/test` }), changed);
  const webhook = query.data?.webhook;
  return (
    <Box
      id={id}
      title={text.title}
      action={
        webhook ? (
          <Button
            sends
            busy={test.isPending}
            onClick={() => test.mutate(undefined, { onError: (error) => showError(error) })}
          >
            {text.test}
          </Button>
        ) : (
          <Button icon="plus" disabled={!query.data} onClick={() => setOpen('address')}>
            {text.add}
          </Button>
        )
      }
    >
      <SectionState query={query}>
        {() =>
          webhook ? (
            <>
              <div className="box-row webhook-address">
                <code dir="ltr">{webhook.url}</code>
                <Button size="row" onClick={() => setOpen('address')}>
                  {text.change}
                </Button>
                <Button size="row" look="danger" onClick={() => setOpen('remove')}>
                  {text.remove}
                </Button>
              </div>
              {webhook.results.length === 0 ? (
                <p className="box-row quiet">{text.no_results}</p>
              ) : (
                <ul aria-label={text.results}>
                  {webhook.results.map((result) => (
                    <Result key={result.id} result={result} />
                  ))}
                </ul>
              )}
            </>
          ) : (
            <p className="box-row quiet webhook-text">{text.none}</p>
          )
        }
      </SectionState>
      {open === 'address' && <AddressDialog url={webhook?.url ?? ''} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog onClose={() => setOpen(null)} />}
    </Box>
  );
}

function Result({ result }: { result: WebhookResult }) {
  const { kind, at, state, attempts, status, answer } = result;
  const text = t.account.webhook;
  const next = nextAttempt(result, useNow());
  const said = answer === null ? '' : (textFor(text.answers, answer) ?? answer);
  return (
    <li className="box-row webhook-result">
      <Icon name={state === 'delivered' ? 'check' : state === 'failed' ? 'warning' : 'clock'} />
      <span className="box-row-words">
        <b>{text.states[state]}</b> · {textFor(text.kinds, kind) ?? kind} · <Time at={at} />
        <span className="quiet webhook-answer">
          {attempts > 0 ? text.attempts(attempts) : next !== undefined && text.rests}
          {status !== null && ` · HTTP ${status}`}
          {said !== '' && (
            <>
              {' · '}
              <Bdi>{said}</Bdi>
            </>
          )}
          {next !== undefined && ` · ${text.next(formatClockSeconds(next))}`}
        </span>
      </span>
    </li>
  );
}

function RemoveDialog({ onClose }: { onClose(): void }) {
  const text = t.account.webhook;
  const client = useQueryClient();
  const showError = useErrorToast();
  const remove = useChange(async () => {
    await send({ method: 'DELETE', path });
    client.setQueryData(webhookQuery.queryKey, { webhook: null });
  }, changed);
  return (
    <ConfirmDialog
      isDangerous
      title={text.remove_title}
      description={text.remove_text}
      confirm={text.remove}
      busy={remove.isPending}
      // Not called after the dialog was closed.
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose, onError: (error) => showError(error) })}
      onClose={onClose}
    />
  );
}

/** Asks for the address, then shows the secret, once. */
function AddressDialog({ url: before, onClose }: { url: string; onClose(): void }) {
  const text = t.account.webhook;
  const [url, setUrl] = useState(before);
  const [errors, setErrors] = useState<{ url?: string }>({});
  const save = useChange(
    async (body: { url: string }) => (await send<CreatedWebhook>({ method: 'PUT', path, body })).data,
    changed,
    { isShownOnce: true },
  );
  if (save.data) return <NewSecret secret={save.data.secret} onClose={onClose} />;
  const submit = () => {
    const isUrl = /^https?:\/\/\S+$/.test(url.trim()) && url.length <= limits.pathLength;
    setErrors(isUrl ? {} : { url: text.no_url });
    if (isUrl) save.mutate({ url: url.trim() }, { onError: (error) => setErrors({ url: errorSentence(error) }) });
  };
  return (
    <FormDialog
      title={text.title}
      description={before === '' ? text.text : `${text.text} ${text.text_change}`}
      submit={text.save}
      busy={save.isPending}
      closingNote={text.is_sent}
      outcome={(data) => ({
        title: text.ready,
        renderShown: (close) => <NewSecret secret={(data as CreatedWebhook).secret} onClose={close} />,
      })}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={text.address}
        type="url"
        dir="ltr"
        placeholder="https://example.org/hook"
        error={errors.url}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function NewSecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const text = t.account.webhook;
  return (
    <ShownOnce
      title={text.ready}
      text={text.ready_text}
      texts={{ ...t.account.keys, ...text.stored }}
      onClose={onClose}
    >
      <CodeBlock label={text.secret} code={secret} hint={text.secret_hint} />
      {/* These are the same bytes, as the libraries of Standard Webhooks read them. */}
      <CodeBlock label={text.standard} code={`whsec_${btoa(secret)}`} hint={text.standard_hint} />
    </ShownOnce>
  );
}
