import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { atTextSize, phone as phoneQuery, touch, useMedia } from '../../../ui/media.ts';
import { SkeletonRow } from '../../../ui/skeleton.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import type { ListSection } from '../../../ui/virtual-list.tsx';
import { InvitationRow } from '../invitation-row.tsx';
import type { RowActions } from '../invitation-row.tsx';
import type { BoxSide } from '../use-box-side.ts';
import { HistoryRow } from './history-row.tsx';
import type { Inbox } from './use-inbox.ts';
import { useStableFunctions } from './use-stable-functions.ts';
import './inbox-page.css';

/** The next page is loaded when this many rows are left. */
const nearEnd = 26;

/** Open invitations and history, each under its heading. */
export function InboxList({
  inbox,
  openHead,
  historyHead,
}: {
  inbox: Inbox;
  openHead: ReactNode;
  historyHead: ReactNode;
}) {
  const { open, history, url, setUrl, ticked } = inbox;
  const phone = useMedia(phoneQuery);
  const onTouch = useMedia(touch);

  // Stable functions, so that a memoised row renders only if its own data changes.
  const actions = useStableFunctions<RowActions>({
    select: (item: InvitationItem) => setUrl({ selected: item.id }, { push: phone }),
    toggle: inbox.toggle,
    answer: inbox.answer,
    dismiss: inbox.dismiss,
  });
  const sectionOf = (side: BoxSide): Pick<ListSection, 'rows' | 'count' | 'loadAll' | 'onVisible'> => ({
    rows: side.rows,
    count: side.total,
    loadAll: side.loadAll,
    onVisible: ({ end }) => {
      if (end >= side.rows.length - nearEnd) side.loadMore();
    },
  });
  const rowProps = (item: InvitationItem, tabIndex: 0 | -1) => ({
    item,
    box: url.box,
    selected: item.id === url.selected,
    tabIndex,
    actions,
  });
  return (
    <VirtualList
      handle={inbox.list}
      busy={open.changing}
      selected={url.selected}
      keepPlace
      onMove={(id) => {
        // Shortcuts apply to the selected invitation.
        if (!phone) setUrl({ selected: id });
      }}
      renderArrivals={(count) => (
        <div className="inbox-arrivals">
          <Button look="primary" size="small" icon="back" onClick={() => inbox.list.current?.scrollToTop()}>
            {t.invitations.new_above(formatNumber(count))}
          </Button>
        </div>
      )}
      sections={[
        {
          ...sectionOf(open),
          label: t.invitations.needs_answer,
          head: openHead,
          rowHeight: atTextSize(phone ? 148 : onTouch ? 96 : 76),
          renderRow(row, tabIndex) {
            const item = open.rows.at(row);
            return item ? (
              <InvitationRow {...rowProps(item, tabIndex)} ticked={ticked.has(item.id)} />
            ) : (
              <SkeletonRow badge={false} />
            );
          },
        },
        {
          ...sectionOf(history),
          label: t.invitations.history,
          head: historyHead,
          rowHeight: atTextSize(60),
          renderRow(row, tabIndex) {
            const item = history.rows.at(row);
            return item ? <HistoryRow {...rowProps(item, tabIndex)} /> : <SkeletonRow badge={false} />;
          },
        },
      ]}
    />
  );
}
