import { Button } from '../../../ui/button.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../../ui/keys-provider.tsx';
import { useJobOf, useRefusalOf } from '../answers/answers-of.ts';
import { isFinal } from '../answers/refusal.ts';
import { WaitingActs } from '../invitation-row.tsx';
import { words } from '../invitation-words.ts';
import { ConsentNote } from './consent-note.tsx';
import type { Inbox } from './use-inbox.ts';

/** The answer, and what it would mean, stay at the pane's foot while the rest scrolls. */
export function PaneFoot({ inbox, phone }: { inbox: Inbox; phone: boolean }) {
  const { item, url } = inbox;
  const id = item?.id ?? '';
  const job = useJobOf(id);
  const refusal = useRefusalOf(id);
  const keys = useKeysEnabled() && !phone;
  if (!item || (item.status !== 'new' && !job)) return null;
  if (job) {
    return (
      <footer className="pane-foot">
        <WaitingActs job={job} id={id} />
      </footer>
    );
  }
  if (refusal && isFinal(refusal.error)) {
    return (
      <footer className="pane-foot">
        <Button onClick={() => inbox.dismiss(item)}>{words.dismiss}</Button>
      </footer>
    );
  }
  return (
    <footer className="pane-foot">
      {url.box === 'sent' ? (
        <Button onClick={() => inbox.answer('withdraw', item)}>{words.withdraw}</Button>
      ) : (
        <>
          <ConsentNote swarm={item.swarm} />
          <Button look="primary" onClick={() => inbox.answer('accept', item)}>
            {words.accept}
            {keys && <KeyHint keys="A" />}
          </Button>
          <Button onClick={() => inbox.answer('reject', item)}>
            {words.reject}
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
        <KeyHint keys="J" /> <KeyHint keys="K" /> {words.keys_step}
      </span>
      <span>
        <KeyHint keys="X" /> {words.keys_select}
      </span>
    </span>
  );
}
