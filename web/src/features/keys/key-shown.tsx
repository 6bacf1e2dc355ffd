import type { ReactNode } from 'react';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { ActionError } from '../../ui/form-error.tsx';
import { Note } from '../../ui/notice.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import type { Outcome } from '../../ui/use-closing.ts';
import { useRevokeKey, useUnseenKeys, type MadeKey } from './keys.api.ts';

interface KeyShownProps {
  created: MadeKey;
  text: string;
  onClose(): void;
  /** How the key is used. */
  children: ReactNode;
}

/** The outcome of a form that was closed while the key was created: its toast shows the key. */
export const keyOutcome =
  (render: (created: CreatedApiKey, onClose: () => void) => ReactNode) =>
  (data: unknown): Outcome => {
    const created = data as CreatedApiKey;
    return { title: t.account.keys.ready(created.name), renderShown: (onClose) => render(created, onClose) };
  };

/** Offers to revoke what an attempt without an answer has created. */
export function UnseenKeys({ created }: { created: MadeKey }) {
  const revoke = useRevokeKey();
  const unseen = useUnseenKeys(created);
  return (
    <>
      {unseen.map(({ id, ends_in }) => (
        <Note key={id} tone="warn" icon="warning">
          {t.account.keys.unseen(ends_in)}{' '}
          <Button size="row" sends busy={revoke.isPending} onClick={() => revoke.mutate(id)}>
            {t.account.keys.revoke}
          </Button>
        </Note>
      ))}
      <ActionError error={revoke.error} />
    </>
  );
}

/** Shows a new key. */
export function KeyShown({ created, text, onClose, children }: KeyShownProps) {
  return (
    <ShownOnce title={t.account.keys.ready(created.name)} text={text} texts={t.account.keys} onClose={onClose}>
      <CopyField label={t.account.keys.key} text={created.key} />
      <UnseenKeys created={created} />
      {children}
    </ShownOnce>
  );
}
