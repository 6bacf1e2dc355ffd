import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { InvitationCounts } from '@swarmdeck/bff/contract';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { readSearch } from '../../../data/filter-params.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { Chip } from '../../../ui/symbols/chip.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { Icon, type IconName } from '../../../ui/symbols/icon.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { useUrlState, type UrlCodec } from '../../../ui/urls/url-state.ts';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { linksQuery } from '../links/links.api.ts';
import { RequestsBox } from '../requests/requests-box.tsx';
import { boardQuery } from '../swarms.api.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { deskLayout } from './board-desk.tsx';
import { BoardList, type BoardLayout } from './board-list.tsx';
import { phoneLayout } from './board-phone.tsx';
import { StaleNote } from './stale-note.tsx';
import { noInvitations } from './use-board-selection.ts';
import '../../../ui/pages/box.css';
import './board.css';

const states = ['new', 'accepted', 'rejected', 'stale'] as const satisfies readonly (keyof InvitationCounts)[];
const icons: Record<(typeof states)[number], IconName> = {
  new: 'clock',
  accepted: 'check',
  rejected: 'close',
  stale: 'warning',
};

/** `link`: only those who joined by it. */
const boardUrl: UrlCodec<{ state: (typeof states)[number] | undefined; link: string | undefined; q: string }> = {
  read: (params) => ({
    state: states.find((known) => known === params.get('state')),
    link: params.get('link') ?? undefined,
    q: readSearch(params),
  }),
  write: ({ q, ...filters }) => ({ ...filters, q: q || undefined }),
};

/** The invitations that the filters in the URL match. */
function useBoard() {
  const { swarm } = useShownSwarm();
  const [{ state, link, q }] = useUrlState(boardUrl);
  return usePagedQuery(boardQuery({ id: swarm.id, ...(state && { state }), ...(link && { link }), ...(q && { q }) }));
}

/** All invitations that were sent for the swarm, with state, age and actions. */
export function BoardTab() {
  const { swarm } = useShownSwarm();
  const layout = useMedia(phone) ? phoneLayout : deskLayout;
  const [{ q }] = useUrlState(boardUrl);
  const board = useBoard();
  const counts = board.first?.counts;
  return (
    <div className="column board">
      <div className="board-requests">
        <RequestsBox swarm_id={swarm.id} box="received" />
      </div>
      <BoardTools counts={counts}>
        <layout.MoreTools />
      </BoardTools>
      {counts && counts.stale > 0 && !q && <StaleNote swarm={swarm} count={counts.stale} />}
      <BoardRows board={board} layout={layout} />
    </div>
  );
}

/** The search and the filters. */
function BoardTools({ counts, children }: { counts: InvitationCounts | undefined; children: ReactNode }) {
  const { swarm } = useShownSwarm();
  const [{ state, link, q }, setUrl] = useUrlState(boardUrl);
  return (
    <div className="line wraps spread board-tools">
      <SearchField
        q={q}
        label={t.board.search}
        placeholder={t.board.search_hint}
        onChange={(typed) => setUrl({ q: typed })}
      />
      <fieldset className="line board-chips" aria-label={t.board.filters}>
        {link && <LinkChip swarm_id={swarm.id} link={link} onClear={() => setUrl({ link: undefined })} />}
        {states.map((known) => (
          <span key={known} className={known === 'stale' && counts?.stale ? 'board-chip-stale' : undefined}>
            <Chip
              icon={<Icon name={icons[known]} size={16} />}
              label={t.board.states[known]}
              count={counts ? formatNumber(counts[known]) : null}
              pressed={state === known}
              clearable={false}
              onToggle={() => setUrl({ state: state === known ? undefined : known })}
            />
          </span>
        ))}
      </fieldset>
      {children}
    </div>
  );
}

/** The filter by a link, which a link of the list of links sets. */
function LinkChip({ swarm_id, link, onClear }: { swarm_id: string; link: string; onClear(): void }) {
  const name = useQuery(linksQuery(swarm_id)).data?.find(({ id }) => id === link)?.name;
  const text = name === undefined ? t.links.joined_by_deleted : t.links.joined_by;
  return <Chip label={<Rich text={text} name={<Bdi>{name ?? ''}</Bdi>} />} pressed onToggle={onClear} />;
}

/** The loading, error and empty states, or the table. */
function BoardRows({ board, layout }: { board: ReturnType<typeof useBoard>; layout: BoardLayout }) {
  const [{ state, link, q }] = useUrlState(boardUrl);
  const { query, rows, first } = board;
  const [stored, update] = useState(noInvitations);
  // Until the rows are read, those of the filter before could be withdrawn.
  if (query.isPending || query.isPlaceholderData)
    return <SkeletonRows count={8} badge={false} label={t.swarms.loading} />;
  if (!first) return <LoadFailed title={t.board.error_title} query={query} />;
  if (rows.length > 0)
    return (
      <BoardList
        key={`${state} ${link} ${q}`}
        layout={layout}
        rows={rows}
        first={first}
        query={query}
        state={state}
        q={q}
        selection={{ stored, update }}
      />
    );
  return state || link || q ? <NoMatch /> : <NoInvitations />;
}

function NoMatch() {
  const [{ state = 'accepted' }, setUrl] = useUrlState(boardUrl);
  return (
    <Empty icon={icons[state]} title={t.board.none_title}>
      <Button onClick={() => setUrl({ state: undefined, link: undefined, q: '' })}>{t.board.clear}</Button>
    </Empty>
  );
}

function NoInvitations() {
  const { swarm } = useShownSwarm();
  return (
    <Empty icon="send" title={t.board.empty_title} text={t.board.empty_text}>
      <ButtonLink look="primary" icon="send" to={`/invite?swarm=${swarm.id}`}>
        {t.swarms.invite}
      </ButtonLink>
    </Empty>
  );
}
