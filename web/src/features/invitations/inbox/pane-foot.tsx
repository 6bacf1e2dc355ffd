import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../../ui/keys-provider.tsx';
import { isFinal, useAnswerFailure, useAnswerJob } from '../answers/answers.job.tsx';
import { PendingActions } from '../invitation-row.tsx';
import { ConsentNote } from './consent-note.tsx';
import type { Inbox } from './use-inbox.ts';

/**
 * The answer buttons and the consent note stay at the bottom of the pane while the rest scrolls. Each invitation has
 * its own buttons, so that a double tap does not answer two invitations.
 */
export function PaneFoot(props: { inbox: Inbox; phone: boolean }) {
  const id = props.inbox.item?.id ?? '';
  return <Answer key={id} id={id} {...props} />;
}

function Answer({ id, inbox, phone }: { id: string; inbox: Inbox; phone: boolean }) {
  const { item, url } = inbox;
  const job = useAnswerJob(id);
  const failure = useAnswerFailure(id);
  const keys = useKeysEnabled() && !phone;
  if (!item || (item.status !== 'new' && !job)) return null;
  if (job) {
    return (
      <footer className="pane-foot">
        <PendingActions job={job} id={id} />
      </footer>
    );
  }
  if (failure && isFinal(failure.error)) {
    return (
      <footer className="pane-foot">
        <Button onClick={() => inbox.dismiss(item)}>{t.invitations.dismiss}</Button>
      </footer>
    );
  }
  return (
    <footer className="pane-foot">
      {url.box === 'sent' ? (
        <Button sends onClick={() => inbox.answer('withdraw', item)}>
          {t.invitations.withdraw}
        </Button>
      ) : (
        <>
          <ConsentNote swarm={item.swarm} />
          <Button look="primary" sends onClick={() => inbox.answer('accept', item)}>
            {t.invitations.accept}
            {keys && <KeyHint keys="A" />}
          </Button>
          <Button sends onClick={() => inbox.answer('reject', item)}>
            {t.invitations.reject}
            {keys && <KeyHint keys="R" />}
          </Button>
        </>
      )}
      {keys && <PaneKeys />}
    </footer>
  );
}

export function PaneKeys() {
  return (
    <span className="pane-keys" aria-hidden="true">
      <span>
        <KeyHint keys="J" /> <KeyHint keys="K" /> {t.invitations.keys_step}
      </span>
      <span>
        <KeyHint keys="X" /> {t.invitations.keys_select}
      </span>
    </span>
  );
}
