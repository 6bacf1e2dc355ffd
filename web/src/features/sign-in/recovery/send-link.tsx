import type { MouseEvent } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { useSentLink } from './recovery.api.ts';

/** Has a link for a lost password sent to the user of this name, or to this email address. The answer does not tell whether there is such a user. */
export function SendLink({ username, onMissing }: { username: string; onMissing(): void }) {
  const link = useSentLink();
  const name = username.trim();
  const send = ({ detail }: MouseEvent) => {
    if (name === '') onMissing();
    // The second click of a double click would send a second mail: the first one is often answered by then.
    else if (detail < 2) link.mutate(name);
  };
  return (
    <>
      <p className="quiet">{t.account.recovery.by_email}</p>
      <output>
        {link.isSuccess && (
          <Note icon="check">
            {link.variables.includes('@') ? (
              <Rich text={t.account.recovery.link_sent_to} address={<b>{link.variables}</b>} />
            ) : (
              <Rich text={t.account.recovery.link_sent} user={<b>{link.variables}</b>} />
            )}
          </Note>
        )}
      </output>
      <ActionError error={link.error} />
      <Button wide busy={link.isPending} onClick={send}>
        {t.account.recovery.send_link}
      </Button>
    </>
  );
}
