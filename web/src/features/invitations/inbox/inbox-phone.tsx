import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/buttons/button.tsx';
import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { JumpButton } from '../../../ui/pages/page-head.tsx';
import { useSwipe, type Swipe } from '../../../ui/lists/swipe.ts';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import { PaneFoot } from './answer-foot.tsx';
import { isOverList, isShownFirst, overList, type BesideProps, type InboxLayout } from './inbox-layout.ts';
import { inboxUrl } from './inbox-url.ts';
import { InvitationPane, PaneSection } from './invitation-pane.tsx';
import { useInbox } from './inbox-state.ts';

/** The open invitation replaces the list, which is in the history once: Back leads to it, and so does `close`. */
export const phoneInbox: InboxLayout = {
  Beside: PhonePane,
  rowHeights: { base: 132, touch: 148, largeText: 172 },
  opensOnMove: false,
  hasKeys: false,
  isListShown: (selected) => selected === null,
  open(id, setUrl) {
    const push = readUrl(inboxUrl).selected === null;
    setUrl({ selected: id }, { push, state: push || isOverList() ? overList : undefined });
  },
  close(setUrl) {
    if (isOverList()) history.back();
    else setUrl({ selected: null });
  },
  idNow: ({ selected, focused }) => selected ?? focused,
  isAnsweredByKey: () => true,
  // One that replaces the list takes the focus when it is shown.
  focusOpened: (_id, { focusPane }) => focusPane(),
};

/** The open invitation instead of the list, or below it a button for the selected ones. */
function PhonePane({ deviceMap }: BesideProps) {
  const [{ selected }, setUrl] = useUrlState(inboxUrl);
  const hasSelected = useInbox('selection').checked.count > 0;
  const returnToList = useEffectEvent(() => {
    if (isShownFirst()) setUrl({ selected: null });
  });
  // The phone was turned, and turned back.
  useLayoutEffect(() => returnToList(), []);
  if (selected !== null) return <OneInvitation deviceMap={deviceMap} />;
  return hasSelected && <ReviewFoot />;
}

/** The open invitation takes the focus of the list. A finger moves to the one beside it. */
function OneInvitation({ deviceMap }: BesideProps) {
  const { place, hasNext, step } = useInbox('steps');
  const { focusPane } = useInbox('focus');
  const focusOnce = useEffectEvent(focusPane);
  useEffect(() => focusOnce(), []);
  const swipe = (label: string, by: 1 | -1): Swipe => ({ label, look: 'plain', act: () => step(by) });
  const { gestures } = useSwipe({
    left: hasNext ? swipe(t.invitations.next, 1) : undefined,
    right: place > 0 ? swipe(t.invitations.previous, -1) : undefined,
  });
  return (
    <PaneSection
      head={<PaneHead />}
      body={<InvitationPane deviceMap={deviceMap} gestures={gestures} />}
      foot={<PaneFoot />}
    />
  );
}

/** Links to the list, and to the invitations before and after this one. */
function PaneHead() {
  const { open, history } = useInbox('rows');
  const { item } = useInbox('open');
  const { place, hasNext, step, goTo } = useInbox('steps');
  // Open invitations and history are numbered separately, as in the list.
  const [at, total] = place < open.rows.length ? [place, open.total] : [place - open.rows.length, history.total];
  const button = (icon: 'back' | 'forward', label: string, by: 1 | -1, enabled: boolean) => (
    <IconButton
      icon={icon}
      label={label}
      look="quiet"
      disabled={!enabled}
      focusableWhenDisabled
      onClick={() => step(by)}
    />
  );
  return (
    <header className="line gap-1 phone-head">
      <IconButton icon="back" look="quiet" label={t.invitations.back} onClick={() => goTo(null)} />
      <h1 className="grow">{item?.is_request ? t.invitations.one_request : t.invitations.one}</h1>
      {button('back', t.invitations.previous, -1, place > 0)}
      {place >= 0 && (
        <span className="quiet numbers">{t.invitations.place(formatNumber(at + 1), formatNumber(total))}</span>
      )}
      {button('forward', t.invitations.next, 1, hasNext)}
      <JumpButton />
    </header>
  );
}

/** The summary of the selected invitations is a dialog over the list (inbox-dialogs.tsx). */
function ReviewFoot() {
  const { count } = useInbox('selection').checked;
  const { review } = useInbox('dialog');
  return (
    <PageFoot className="line wraps even-buttons pane-foot">
      <Button look="primary" onClick={review}>
        {t.invitations.review(formatNumber(count))}
      </Button>
    </PageFoot>
  );
}
