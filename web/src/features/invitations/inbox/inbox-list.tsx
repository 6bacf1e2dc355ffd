import { memo, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { touch, useMedia } from '../../../ui/browser/media.ts';
import { makeRoom } from '../../../ui/lists/make-room.ts';
import { NextPageFailed } from '../../../ui/buttons/more-button.tsx';
import { Row, RowWords } from '../../../ui/lists/row.tsx';
import { useRowHeight } from '../../../ui/lists/row-height.ts';
import { SkeletonRow } from '../../../ui/pages/skeleton.tsx';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { Time } from '../../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import type { ListSection } from '../../../ui/lists/list-sections.ts';
import { nearEnd, VirtualList } from '../../../ui/lists/virtual-list.tsx';
import { deviceName, endOf, recipientOf } from '../../../shared/actions/answers.tsx';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { senderOf, stateText, useIsBehind, type BoxSide } from '../invitations.api.ts';
import { InvitationRow, type InboxHandlers, type InvitationRowProps } from './invitation-row.tsx';
import { inboxUrl } from './inbox-url.ts';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInbox } from './inbox-state.ts';
import './inbox-page.css';
import './inbox-list.css';

/** What of a received invitation says who sees what, in px: one line, or three of large text. */
function useAudienceHeight(): number {
  const [{ box }] = useUrlState(inboxUrl);
  const height = useRowHeight({ base: 22, largeText: 58 });
  return box === 'received' ? height : 0;
}

interface InboxListProps {
  openHead: ReactNode;
  historyHead: ReactNode;
}

/** Open invitations and history, each under its heading. */
export function InboxList({ openHead, historyHead }: InboxListProps) {
  const [{ selected }] = useUrlState(inboxUrl);
  const { list } = useInbox('focus');
  const { goTo } = useInbox('steps');
  const { opensOnMove } = useInbox('layout');
  const { open, openSide, history } = useInbox('rows');
  const rowProps = useRowProps();
  const openSection = useOpenSection(openHead, rowProps);
  const historySection = useHistorySection(historyHead, rowProps);
  const onTouch = useMedia(touch);
  const [isOpening, setOpening] = useState(true);
  const failedPage = open.status.failedPage ?? history.status.failedPage;
  return (
    <>
      {isOpening && <Opening side={openSide} onEnd={() => setOpening(false)} />}
      <VirtualList
        className="in-page"
        handle={list}
        busy={open.status.isChanging}
        selected={selected}
        keepPlace
        foot={failedPage && <NextPageFailed query={failedPage} />}
        makeRoom={onTouch && !isOpening ? makeRoom : undefined}
        {...(opensOnMove && { onMove: goTo })}
        renderArrivals={(count) => (
          <div className="inbox-arrivals">
            <Button look="primary" size="small" icon="back" onClick={() => list.current?.scrollToTop()}>
              {t.invitations.new_above(formatNumber(count))}
            </Button>
          </div>
        )}
        sections={[openSection, historySection]}
      />
    </>
  );
}

/** Returns what the row of any invitation has. */
function useRowProps() {
  const [{ box, selected }] = useUrlState(inboxUrl);
  const { focusPane } = useInbox('focus');
  const { goTo } = useInbox('steps');
  const { check } = useInbox('selection');
  const { answer } = useInboxAnswers();
  // Stable functions, so that a memoised row renders only if its own data changes.
  const handlers = useStableFunctions<InboxHandlers>({
    select: ({ id }) => goTo(id),
    // Beside the list, the row with the focus is open already, except after an answer to another one was undone.
    open: ({ id }) => (id === readUrl(inboxUrl).selected ? focusPane() : goTo(id)),
    toggle: check.toggle,
    answer,
  });
  return (item: InvitationItem, tabIndex: 0 | -1) => ({
    item,
    box,
    selected: item.id === selected,
    tabIndex,
    handlers,
  });
}

type RowPropsOf = ReturnType<typeof useRowProps>;

const sectionOf = (side: BoxSide) => ({ rows: side.rows, count: side.total, loadAll: side.loadAll });

/** With those that were answered, which keep their places (held-rows.ts). */
function useOpenSection(head: ReactNode, rowProps: RowPropsOf): ListSection {
  const [{ box }] = useUrlState(inboxUrl);
  const { open, held, isNamesake, listedItem, onOpenVisible } = useInbox('rows');
  const { checked } = useInbox('selection');
  const { rowHeights } = useInbox('layout');
  return {
    ...sectionOf(open),
    label: box === 'received' ? t.invitations.needs_answer : t.invitations.waiting_for,
    head,
    rowHeight: useRowHeight(rowHeights) + useAudienceHeight(),
    onVisible(view) {
      onOpenVisible(view);
      loadNear(open, view.end);
    },
    renderRow(row, tabIndex) {
      const item = open.rows.at(row);
      const ended = item !== undefined && held.has(item.id);
      const shown = (ended && listedItem(item.id)) || item;
      return shown ? (
        <InvitationRow
          {...rowProps(shown, tabIndex)}
          checked={checked.has(shown.id)}
          ended={ended}
          isNamesake={isNamesake(shown)}
        />
      ) : (
        <SkeletonRow badge={false} />
      );
    },
  };
}

function useHistorySection(head: ReactNode, rowProps: RowPropsOf): ListSection {
  const { history } = useInbox('rows');
  return {
    ...sectionOf(history),
    label: t.invitations.history,
    head,
    rowHeight: useRowHeight({ base: 60, largeText: 68 }),
    onVisible: (view) => loadNear(history, view.end),
    renderRow(row, tabIndex) {
      const item = history.rows.at(row);
      return item ? <HistoryRow {...rowProps(item, tabIndex)} /> : <SkeletonRow badge={false} />;
    },
  };
}

/** `end`: the row after the last one in view. */
function loadNear(side: BoxSide, end: number) {
  if (end >= side.rows.length - nearEnd) side.loadMore();
}

/** In ms: nobody aims at a row sooner. */
const aimsAfter = 1500;

/**
 * While the list has just opened, perhaps with what an earlier visit has read, newer rows do not hide above it. It renders nothing.
 */
function Opening({ side, onEnd }: { side: BoxSide; onEnd(): void }) {
  const isBehind = useIsBehind(side);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end(), isBehind ? aimsAfter : 0);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return null;
}

function LaterEnd({ item }: { item: InvitationItem }) {
  const ends_at = endOf(item);
  return (
    <>
      {t.invitations.later_end.one} {ends_at !== undefined && <UntilDate at={ends_at} />}
    </>
  );
}

/** An answered invitation. */
const HistoryRow = memo(function HistoryRow(props: Omit<InvitationRowProps, 'checked'>) {
  const { item, box, selected, tabIndex, handlers } = props;
  const user = box === 'received' ? senderOf(item) : recipientOf(item);
  return (
    <Row
      id={item.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      className="invitation-past"
      onSelect={() => handlers.select(item)}
      onOpen={() => handlers.open(item)}
    >
      <RowWords
        leading={<Icon name={item.status === 'accepted' ? 'check' : 'close'} size={16} />}
        title={
          <span className="invitation-asking">
            {user && (
              <>
                <Bdi className="invitation-past-user" title={user}>
                  {user}
                </Bdi>
                {' · '}
              </>
            )}
            {item.device ? (
              <span className="invitation-past-device">
                <TruncateMiddle text={item.device.name} />
              </span>
            ) : (
              <i>
                {item.label !== undefined
                  ? deviceName(item)
                  : item.is_former_device
                    ? t.invitations.former_device
                    : t.invitations.their_device}
              </i>
            )}
          </span>
        }
        meta={
          <>
            <Bdi>{item.swarm.name}</Bdi> ·{' '}
            {item.is_later_end ? <LaterEnd item={item} /> : t.shell.roles[item.resource_type]}
          </>
        }
        trailing={
          <>
            {stateText(item)}
            <Time at={item.changed_at} />
          </>
        }
      />
    </Row>
  );
});
