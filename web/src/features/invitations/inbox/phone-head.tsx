import { formatNumber, t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { JumpButton } from '../../../ui/jump-button.tsx';
import type { Inbox } from './use-inbox.ts';
import './inbox-page.css';

/** On a phone: links to the list and to the next invitation. */
export function PhoneHead({ inbox }: { inbox: Inbox }) {
  const { setUrl, place, open, history } = inbox;
  // Open invitations and history are numbered separately, as in the list.
  const [at, total] = place < open.rows.length ? [place, open.total] : [place - open.rows.length, history.total];
  return (
    <header className="phone-head">
      <IconButton icon="back" look="quiet" label={t.invitations.back} onClick={() => setUrl({ selected: null })} />
      <h1>{t.invitations.one}</h1>
      {place >= 0 && <span className="numbers">{t.invitations.place(formatNumber(at + 1), formatNumber(total))}</span>}
      <IconButton
        icon="forward"
        look="quiet"
        label={t.invitations.next}
        disabled={place < 0 || place + 1 >= open.rows.length + history.rows.length}
        onClick={() => inbox.step(1)}
      />
      <JumpButton />
    </header>
  );
}
