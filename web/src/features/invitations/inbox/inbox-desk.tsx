import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { PaneFoot } from './answer-foot.tsx';
import { BulkFoot, BulkPane, BulkSummaryProvider } from './bulk-pane.tsx';
import { useIsBehind } from '../invitations.api.ts';
import { isOverList, overList, shownFirst, type BesideProps, type InboxLayout } from './inbox-layout.ts';
import { inboxUrl } from './inbox-url.ts';
import { InvitationPane, PaneSection } from './invitation-pane.tsx';
import { useInbox } from './inbox-state.ts';

/** One invitation is always open beside the list, so opening another one adds nothing to the history. */
export const deskInbox: InboxLayout = {
  Beside: DeskPane,
  rowHeights: { base: 76, touch: 96 },
  // Shortcuts apply to the selected invitation.
  opensOnMove: true,
  hasKeys: true,
  isListShown: () => true,
  // A phone that is turned back returns to its list.
  open: (id, setUrl) => setUrl({ selected: id }, { state: isOverList() ? overList : undefined }),
  close: () => {},
  // The row with the focus was announced.
  idNow: ({ selected, focused }) => focused ?? selected,
  isAnsweredByKey: ({ id, selected }) => id === selected,
  focusOpened: (id, { list }) => list.current?.focus(id),
};

/** The open invitation, or a summary of the selected ones. */
function DeskPane({ deviceMap }: BesideProps) {
  const [{ selected }] = useUrlState(inboxUrl);
  const { open, history } = useInbox('rows');
  const hasSelected = useInbox('selection').checked.count > 0;
  const isSettled = !open.status.isPending && !history.status.isPending && !open.status.isChanging;
  // The same section in both cases: it gives the focus of removed buttons to the invitation that is opened next.
  return (
    <BulkSummaryProvider>
      {isSettled && selected === null && <OpensFirst />}
      {hasSelected ? (
        <PaneSection body={<BulkPane />} foot={<BulkFoot />} />
      ) : (
        <PaneSection body={<InvitationPane deviceMap={deviceMap} place={<Place />} />} foot={<PaneFoot />} />
      )}
    </BulkSummaryProvider>
  );
}

/** Beside the list, one invitation is always open. It stays open when another one arrives. It renders nothing. */
function OpensFirst() {
  const [, setUrl] = useUrlState(inboxUrl);
  const { open, openSide, rows } = useInbox('rows');
  // Stored rows may not have one that needs an answer.
  const isBehind = useIsBehind(openSide);
  const first = open.rows.length > 0 || !isBehind ? rows.at(0)?.id : undefined;
  const openIt = useEffectEvent((id: string) => setUrl({ selected: id }, { state: shownFirst }));
  useEffect(() => {
    if (first !== undefined) openIt(first);
  }, [first]);
  return null;
}

/** Which of the open invitations it is. */
function Place(): ReactNode {
  const { item } = useInbox('open');
  const { place } = useInbox('steps');
  const { open } = useInbox('rows');
  if (place < 0 || place >= open.rows.length || item?.status !== 'new') return null;
  return `${t.invitations.place(formatNumber(place + 1), formatNumber(open.total))} · `;
}
