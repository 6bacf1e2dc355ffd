import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useFocusRestore } from '../../../ui/use-focus-after-removal.ts';
import { BulkButtons, BulkFacts, BulkFoot, BulkPane, bulkWords } from './bulk-pane.tsx';
import { summarise } from './bulk-summary.ts';
import { inboxCountQuery } from '../inbox-count.api.ts';
import { InboxHead } from './inbox-head.tsx';
import { useInboxKeys, useInbox, type Inbox } from './use-inbox.ts';
import { InboxList } from './inbox-list.tsx';
import './inbox-page.css';
import { InvitationPane, PaneFoot, PhoneHead, type RenderDeviceMap } from './invitation-pane.tsx';

interface OtherParts {
  /** What others ask of the user besides. */
  offers: ReactNode;
}

/** The list of invitations beside the selected one; on a phone, one of them at a time. */
export function InboxPage({ renderMap, ...others }: OtherParts & { renderMap: RenderDeviceMap }) {
  usePageTitle(t.invitations.title);
  const phone = useMedia(phoneQuery);
  const inbox = useInbox({ phone });
  const search = useRef<HTMLInputElement>(null);
  const map = useRef<HTMLElement>(null);
  const pane = useRef<HTMLElement>(null);
  const { selection, url } = inbox;
  const summary = useMemo(() => summarise(selection.items), [selection.items]);
  const bulk = selection.count > 0;
  const focusPane = () => pane.current?.querySelector<HTMLElement>('h2')?.focus();
  useInboxKeys(inbox, {
    search: () => search.current?.focus(),
    pane: focusPane,
    map: () => map.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  });
  // The buttons of an answered invitation are removed.
  const pageFocus = useFocusRestore(() => inbox.list.current?.focus());
  const paneFocus = useFocusRestore(focusPane);

  return (
    <div className="inbox" {...pageFocus}>
      {(!phone || url.selected === null) && <ListColumn inbox={inbox} search={search} {...others} />}
      {(!phone || url.selected !== null) && (
        <section ref={pane} className="fill pane" aria-label={t.invitations.one} {...paneFocus}>
          {phone && <PhoneHead inbox={inbox} />}
          <div className="pane-body">
            {bulk && !phone ? (
              <BulkPane inbox={inbox} summary={summary} />
            ) : (
              <InvitationPane inbox={inbox} phone={phone} renderMap={renderMap} map={map} />
            )}
          </div>
          {bulk && !phone ? <BulkFoot inbox={inbox} summary={summary} /> : <PaneFoot inbox={inbox} phone={phone} />}
        </section>
      )}
      {phone && bulk && url.selected === null && <Review inbox={inbox} />}
    </div>
  );
}

interface ListColumnProps extends OtherParts {
  inbox: Inbox;
  search: RefObject<HTMLInputElement | null>;
}

function ListColumn({ inbox, search, offers }: ListColumnProps) {
  const isWhole = inbox.url.box === 'received' && inbox.url.q === '';
  const hasOffers = (useQuery(inboxCountQuery).data?.offers ?? 0) > 0;
  return (
    <section className="inbox-column" aria-label={t.invitations.list}>
      <InboxHead inbox={inbox} search={search} />
      {isWhole && offers}
      <ListState inbox={inbox} hasOffers={isWhole && hasOffers} />
    </section>
  );
}

interface ListStateProps {
  inbox: Inbox;
  /** There are offers above. */
  hasOffers: boolean;
}

/** The loading, error and empty states, or the rows. */
function ListState({ inbox, hasOffers }: ListStateProps) {
  const { open, history, rows, url, selection } = inbox;
  if (open.pending || history.pending) return <SkeletonRows count={8} badge={false} label={t.invitations.loading} />;
  const error = open.error ?? history.error;
  if (error && rows.length === 0) {
    return (
      <LoadFailed
        title={t.invitations.error_title}
        query={{
          error,
          refetch: () => {
            open.refetch();
            history.refetch();
          },
        }}
      />
    );
  }
  if (rows.length === 0) return hasOffers ? null : <Nothing inbox={inbox} />;
  const received = url.box === 'received';
  return (
    <InboxList
      // The other box starts at its top.
      key={url.box}
      inbox={inbox}
      openHead={
        <>
          <div className="line wraps quiet inbox-section">
            <h2 className="section-name">{received ? t.invitations.needs_answer : t.invitations.waiting_for}</h2>
            <span className="numbers">
              {open.total === inbox.held.size ? t.invitations.empty.all_answered : formatNumber(selection.total)}
            </span>
            {selection.total > 1 && selection.count === 0 && (
              <Button look="accent" size="row" busy={selection.isReading} onClick={() => void selection.selectAll()}>
                {selection.progress ?? t.invitations.select_all}
              </Button>
            )}
          </div>
        </>
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

function Nothing({ inbox }: { inbox: Pick<Inbox, 'url' | 'setUrl'> }) {
  const { empty } = t.invitations;
  const { q, box } = inbox.url;
  if (q !== '') {
    return (
      <Empty icon="search" title={empty.none_match} text={<Rich text={empty.none_match_text} q={<Bdi>{q}</Bdi>} />}>
        <Button onClick={() => inbox.setUrl({ q: '' })}>{t.invitations.clear_search}</Button>
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

/** On a phone the summary of the selected invitations is a dialog over the list. */
function Review({ inbox }: { inbox: Pick<Inbox, 'url' | 'selection' | 'answerSelected'> }) {
  const [open, setOpen] = useState(false);
  const { selection } = inbox;
  const summary = useMemo(() => summarise(selection.items), [selection.items]);
  const { title, text } = bulkWords({ inbox, summary });
  return (
    <>
      <footer className="line wraps page-foot even-buttons pane-foot">
        <Button look="primary" onClick={() => setOpen(true)}>
          {t.invitations.review(formatNumber(selection.count))}
        </Button>
      </footer>
      {open && (
        <Dialog
          title={title}
          description={text}
          onClose={() => setOpen(false)}
          footer={<BulkButtons inbox={inbox} summary={summary} onDone={() => setOpen(false)} />}
        >
          <BulkFacts inbox={inbox} summary={summary} />
        </Dialog>
      )}
    </>
  );
}
