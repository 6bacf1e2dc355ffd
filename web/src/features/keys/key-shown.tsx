import type { ReactNode } from 'react';
import type { CreatedApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { CopyField } from '../../ui/fields/copy-field.tsx';
import { ShownOnce } from '../../ui/pages/shown-once.tsx';
import type { Outcome } from '../../ui/dialogs/use-closing.ts';

interface KeyShownProps {
  created: CreatedApiKey;
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

/** Shows a new key. */
export function KeyShown({ created, text, onClose, children }: KeyShownProps) {
  return (
    <ShownOnce title={t.account.keys.ready(created.name)} text={text} texts={t.account.keys} onClose={onClose}>
      <CopyField label={t.account.keys.key} text={created.key} />
      {children}
    </ShownOnce>
  );
}
