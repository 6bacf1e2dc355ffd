import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { InvitationCounts, InvitationItem, InvitationPage, SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { touch, useMedia } from '../../ui/media.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { BoardRow } from './board-row.tsx';
import './board-tab.css';
import { LoadFailed } from './load-failed.tsx';
import { StaleNote } from './stale-note.tsx';
import { words } from './swarm-words.ts';
import { boardQuery, rowsOf } from './swarms.api.ts';
import { useBoardActs } from './use-board-acts.tsx';
import { WindowedRows } from './windowed-rows.tsx';

const text = words.board;
const states = ['new', 'accepted', 'rejected', 'stale'] as const satisfies readonly (keyof InvitationCounts)[];
const icons: Record<(typeof states)[number], IconName> = {
  new: 'clock',
  accepted: 'check',
  rejected: 'close',
  stale: 'warning',
};

/** Every invitation that was sent for the swarm: its state, its age, and what can be done about it. */
export function BoardTab({ swarm, phone }: { swarm: SwarmItem; phone: boolean }) {
  const [params, setParams] = useSearchParams();
  const state = states.find((known) => known === params.get('state'));
  const query = useInfiniteQuery(boardQuery({ id: swarm.id, ...(state && { state }) }));
  const { rows, first } = useMemo(() => rowsOf<InvitationItem, InvitationPage>(query.data), [query.data]);
  const filter = (next: string | null) => {
    const changed = new URLSearchParams(params);
    if (next === null) changed.delete('state');
    else changed.set('state', next);
    setParams(changed, { replace: true });
  };
  const counts = first?.counts;
  return (
    <div className="board">
      <div className="board-tools">
        <fieldset className="board-chips" aria-label={text.filters}>
          {states.map((known) => (
            <span key={known} className={known === 'stale' ? 'board-chip-stale' : undefined}>
              <Chip
                icon={<Icon name={icons[known]} size={16} />}
                label={text.states[known]}
                count={counts ? formatNumber(counts[known]) : null}
                pressed={state === known}
                clearable={false}
                onToggle={() => filter(state === known ? null : known)}
              />
            </span>
          ))}
        </fieldset>
        {!phone && <ButtonLink to={`/invite?swarm=${swarm.id}&csv=1`}>{text.many}</ButtonLink>}
      </div>
      {counts && counts.stale > 0 && <StaleNote swarm={swarm} count={counts.stale} />}
      {query.isPending && <SkeletonRows count={8} badge={false} label={words.loading} />}
      {query.error && !first && (
        <LoadFailed
          title={text.error_title}
          error={query.error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {first && rows.length === 0 && state && (
        <Empty icon={icons[state]} title={text.none_title}>
          <Button onClick={() => filter(null)}>{text.clear}</Button>
        </Empty>
      )}
      {first && rows.length === 0 && !state && (
        <Empty icon="send" title={text.empty_title} text={text.empty_text}>
          <ButtonLink look="primary" icon="send" to={`/invite?swarm=${swarm.id}`}>
            {words.invite}
          </ButtonLink>
        </Empty>
      )}
      {first && rows.length > 0 && <Rows {...{ swarm, phone, rows, first, query }} />}
    </div>
  );
}

function Rows({
  swarm,
  phone,
  rows,
  first,
  query,
}: {
  swarm: SwarmItem;
  phone: boolean;
  rows: InvitationItem[];
  first: InvitationPage;
  query: { hasNextPage: boolean; isFetching: boolean; isError: boolean; fetchNextPage(): unknown };
}) {
  const tall = useMedia(touch);
  const acts = useBoardActs(swarm);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <section className="board-box" aria-label={text.title}>
      {!phone && (
        <div className="board-columns" aria-hidden="true">
          <span>{text.columns.state}</span>
          <span>{text.columns.to}</span>
          <span>{text.columns.device}</span>
          <span>{text.columns.role}</span>
          <span className="board-age">{text.columns.age}</span>
          <span className="board-message">{text.columns.message}</span>
        </div>
      )}
      <WindowedRows
        label={text.title}
        className="board-rows"
        count={rows.length}
        rowHeight={phone ? 76 : tall ? 56 : 48}
        onNearEnd={loadMore}
        renderRow={(frame) => {
          const invitation = rows[frame.row];
          if (!invitation) return null;
          const stale = invitation.status === 'new' && invitation.sent_at < first.stale_before;
          return <BoardRow key={invitation.id} {...{ invitation, swarm, stale, phone, frame, acts }} />;
        }}
      />
      <footer className="board-foot numbers">
        <span>{text.of(formatNumber(rows.length), formatNumber(first.total))}</span>
        <span>{text.names}</span>
      </footer>
    </section>
  );
}
