import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { phone as phoneQuery, touch, useMedia } from '../../../ui/media.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { atTextSize } from '../../../ui/text-size.ts';
import { InvitationRow } from '../invitation-row.tsx';
import type { RowActions } from '../invitation-row.tsx';
import type { BoxSide } from '../use-box-side.ts';
import { HistoryRow } from './history-row.tsx';
import './inbox-list.css';
import { useInboxRows } from './use-inbox-rows.ts';
import type { Inbox } from './use-inbox.ts';
import { useSteady } from './use-steady.ts';

/** What needs an answer under its own heading, then history; of however many there are, the rows in sight. */
export function InboxList({
  inbox,
  openHead,
  historyHead,
}: {
  inbox: Inbox;
  openHead: ReactNode;
  historyHead: ReactNode;
}) {
  const { open, history, url, ticked } = inbox;
  const phone = useMedia(phoneQuery);
  const onTouch = useMedia(touch);
  const openHeight = atTextSize(phone ? 148 : onTouch ? 96 : 76);
  const pastHeight = atTextSize(60);
  const { scroller, openList, pastList, first, past, tabPlace, arrivals, setActive, goByKey } = useInboxRows({
    inbox,
    phone,
    openHeight,
    pastHeight,
  });

  const actions = useSteady<RowActions>({
    select: (item: InvitationItem) => url.select(item.id, { replace: !phone }),
    toggle: inbox.toggle,
    answer: inbox.answer,
    dismiss: inbox.dismiss,
    focused: setActive,
    goByKey,
  });
  const rowOf = (item: InvitationItem, row: number, side: BoxSide, at: number) => ({
    item,
    box: url.box,
    row,
    count: side.total,
    selected: item.id === url.selected,
    tabStop: at === tabPlace,
    actions,
  });
  return (
    <div ref={scroller} className="inbox-list" data-answers tabIndex={-1} aria-busy={open.changing || undefined}>
      {arrivals.above > 0 && (
        <div className="inbox-arrivals">
          <Button look="primary" size="small" icon="back" onClick={() => scroller.current?.scrollTo({ top: 0 })}>
            {t.invitations.new_above(formatNumber(arrivals.above))}
          </Button>
        </div>
      )}
      <div className="inbox-rows">
        {openHead}
        <ul ref={openList} aria-label={t.invitations.needs_answer} style={{ blockSize: first.height }}>
          {first.rows.map((row) => {
            const item = open.rows.at(row);
            const place = { offset: first.offset(row), height: openHeight };
            if (!item) return <WaitingRow key={row} {...place} />;
            const isTicked = ticked.has(item.id);
            return <InvitationRow key={item.id} {...rowOf(item, row, open, row)} {...place} ticked={isTicked} />;
          })}
        </ul>
        {historyHead}
        <ul ref={pastList} aria-label={t.invitations.history} style={{ blockSize: past.height }}>
          {past.rows.map((row) => {
            const item = history.rows.at(row);
            const place = { offset: past.offset(row), height: pastHeight };
            if (!item) return <WaitingRow key={row} {...place} />;
            return <HistoryRow key={item.id} {...rowOf(item, row, history, open.rows.length + row)} {...place} />;
          })}
        </ul>
      </div>
    </div>
  );
}

function WaitingRow({ offset, height }: { offset: number; height: number }) {
  const style = { insetBlockStart: offset, blockSize: height };
  return (
    <li className="invitation invitation-loading" style={style} aria-hidden="true">
      <Skeleton width="60%" height="11px" />
      <Skeleton width="36%" />
    </li>
  );
}
