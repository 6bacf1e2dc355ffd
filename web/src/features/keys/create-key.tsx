import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { CodeBlock } from '../../ui/texts/code-block.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyShown, keyOutcome } from './key-shown.tsx';
import { useCreateKey } from './keys.api.ts';

/** Asks for a name, then shows the key, once. */
export function CreateKey({ onClose }: { onClose(): void }) {
  const create = useCreateKey();
  if (create.data) return <NewKey created={create.data} onClose={onClose} />;
  return (
    <KeyForm
      title={t.account.keys.create_title}
      description={t.account.keys.create_text}
      submit={t.account.keys.create}
      name={{ label: t.account.keys.name, value: '', placeholder: t.account.keys.create_placeholder }}
      hasScope
      busy={create.isPending}
      error={create.error}
      onSubmit={(made) => create.mutate(made)}
      onClose={onClose}
      outcome={outcome}
    />
  );
}

function NewKey({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
  const { key, scope } = created;
  const header = `-H 'x-serviceapikey: ${key}'`;
  const devices = `${location.origin}/service/resources`;
  const body = `-H 'content-type: application/json' -d '{"position":{"longitude":13.4,"latitude":52.5}}'`;
  const reference = (
    <>
      {t.account.keys.move_text}{' '}
      <a href="/docs" target="_blank" rel="noreferrer">
        {t.account.keys.reference}
      </a>
    </>
  );
  return (
    <KeyShown created={created} text={t.account.keys.ready_text} onClose={onClose}>
      {scope !== 'position' && (
        <CodeBlock label={t.account.keys.try_it} code={`curl ${header} ${devices}`} hint={t.account.keys.try_text} />
      )}
      {scope !== 'read' && (
        <CodeBlock
          label={t.account.keys.move_it}
          code={`curl -X PUT ${header} ${body} ${devices}/DEVICE_ID`}
          hint={reference}
        />
      )}
    </KeyShown>
  );
}

const outcome = keyOutcome((created, onClose) => <NewKey created={created} onClose={onClose} />);
