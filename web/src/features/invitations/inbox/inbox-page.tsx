import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import { inboxCountQuery } from '../inbox-count.api.ts';
import { InboxCommands } from './inbox-commands.ts';
import { deskInbox } from './inbox-desk.tsx';
import { InboxDialogs } from './inbox-dialogs.tsx';
import { InboxHead } from './inbox-head.tsx';
import { type BesideProps } from './inbox-layout.ts';
import { InboxList } from './inbox-list.tsx';
import './inbox-page.css';
import { phoneInbox } from './inbox-phone.tsx';
import { inboxUrl } from './inbox-url.ts';
import { InboxState, useInbox } from './inbox-state.ts';

interface InboxParts extends BesideProps {
  /** What others ask of the user besides. */
  offers: ReactNode;
}

export function InboxPage(parts: InboxParts) {
  usePageTitle(t.invitations.title);
  return (
    <InboxState layout={useMedia(phone) ? phoneInbox : deskInbox}>
      <Inbox {...parts} />
    </InboxState>
  );
}

/** The list of invitations beside the open one; on a phone, one of them at a time (inbox-desk.tsx, inbox-phone.tsx). */
function Inbox({ deviceMap, offers }: InboxParts) {
  const [{ selected }] = useUrlState(inboxUrl);
  const { list } = useInbox('focus');
  // The buttons of an answered invitation are removed.
  const focusRestore = useFocusRestore(() => list.current?.focus());
  const layout = useInbox('layout');
  const isListShown = layout.isListShown(selected);
  /** The open invitation that replaces the list. */
  const instead = useRef<string>(null);
  // The list is shown again where it was left. The row then takes the focus, too.
  useLayoutEffect(() => {
    if (isListShown && instead.current !== null) list.current?.reveal(instead.current);
    instead.current = isListShown ? null : selected;
  }, [isListShown, selected, list]);
  return (
    <div className="inbox" {...focusRestore}>
      {isListShown && <ListColumn offers={offers} />}
      <layout.Beside deviceMap={deviceMap} />
      <InboxDialogs />
      <InboxCommands />
    </div>
  );
}

function ListColumn({ offers }: Pick<InboxParts, 'offers'>) {
  const [{ box, q }] = useUrlState(inboxUrl);
  const isWhole = box === 'received' && q === '';
  const hasOffers = (useQuery(inboxCountQuery).data?.offers ?? 0) > 0;
  return (
    <section className="inbox-column" aria-label={t.invitations.list}>
      <InboxHead />
      {/* The other box starts at its top. */}
      <div key={box} className="inbox-scroller">
        {isWhole && offers}
        <ListState hasOffers={isWhole && hasOffers} />
      </div>
    </section>
  );
}

/** The loading, error and empty states, or the rows. `hasOffers`: there are offers above. */
function ListState({ hasOffers }: { hasOffers: boolean }) {
  const [{ box }] = useUrlState(inboxUrl);
  const { open, history, rows, held } = useInbox('rows');
  const { checked, check } = useInbox('selection');
  const { total, count, isReading, progress } = checked;
  if (open.status.isPending || history.status.isPending) {
    return <SkeletonRows count={8} badge={false} label={t.invitations.loading} />;
  }
  const error = open.status.error ?? history.status.error;
  if (error && rows.length === 0) {
    return (
      <LoadFailed
        title={t.invitations.error_title}
        query={{
          error,
          refetch: () => {
            open.status.refetch();
            history.status.refetch();
          },
        }}
      />
    );
  }
  if (rows.length === 0) return hasOffers ? null : <Nothing />;
  const received = box === 'received';
  const isAnswered = open.total === held.size;
  return (
    <InboxList
      // The offers above need an answer.
      openHead={
        !(isAnswered && hasOffers) && (
          <div className="line wraps quiet inbox-section">
            <h2 className="section-name">{received ? t.invitations.needs_answer : t.invitations.waiting_for}</h2>
            <span className="numbers">{isAnswered ? t.invitations.empty.all_answered : formatNumber(total)}</span>
            {total > 1 && count === 0 && (
              <Button look="accent" size="row" busy={isReading} onClick={check.all}>
                {progress ?? t.invitations.select_all}
              </Button>
            )}
          </div>
        )
      }
      historyHead={
        history.rows.length > 0 && (
          <div className="line wraps quiet inbox-section">
            <h2 className="section-name">{t.invitations.history}</h2>
            <span className="numbers">{formatNumber(history.total)}</span>
          </div>
        )
      }
    />
  );
}

function Nothing() {
  const { empty } = t.invitations;
  const [{ q, box }, setUrl] = useUrlState(inboxUrl);
  if (q !== '') {
    return (
      <Empty icon="search" title={empty.none_match} text={<Rich text={empty.none_match_text} q={<Bdi>{q}</Bdi>} />}>
        <Button onClick={() => setUrl({ q: '' })}>{t.invitations.clear_search}</Button>
      </Empty>
    );
  }
  if (box === 'sent') {
    return (
      <Empty icon="inbox" title={empty.sent_title} text={empty.sent_text}>
        <ButtonLink to="/invite">{t.invitations.invite}</ButtonLink>
      </Empty>
    );
  }
  return (
    <Empty icon="inbox" title={empty.received_title} text={empty.received_text}>
      <ButtonLink to="/">{empty.received_action}</ButtonLink>
    </Empty>
  );
}
