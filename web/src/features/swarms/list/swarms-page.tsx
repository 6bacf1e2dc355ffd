import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { SwarmItem, SwarmList } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { JumpButton } from '../../../ui/page-head.tsx';
import { useKeys } from '../../../ui/keys-provider.tsx';
import { phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { textCodec, useUrlState } from '../../../ui/url-state.ts';
import { useNavigationAction } from '../../../ui/use-navigation-action.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { rowsOf, swarmListQuery } from '../swarms.api.ts';
import { SwarmTable } from './swarm-table.tsx';
import './swarms-page.css';
import { CreateSwarm } from '../create-swarm.tsx';

const searchUrl = textCodec('q');

/** The swarms that the user owns, and those that the user's devices have joined. */
export function SwarmsPage({ user_id }: { user_id: string }) {
  usePageTitle(t.swarms.list.title);
  const navigate = useNavigate();
  const toasts = useToasts();
  const phone = useMedia(phoneQuery);
  const [{ q }, setUrl] = useUrlState(searchUrl);
  const [creating, setCreating] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const list = useInfiniteQuery(swarmListQuery(q));
  const { rows, first } = rowsOf(list.data);
  useKeys('swarms', {
    '/': () => search.current?.focus(),
    j: () => stepTo(page.current, 1),
    k: () => stepTo(page.current, -1),
  });

  const create = () => setCreating(true);
  useNavigationAction('create', create);
  return (
    <div ref={page} className="swarms">
      <header className="swarms-head">
        <h1>{t.swarms.list.title}</h1>
        <div className="swarms-search">
          <SearchField
            q={q}
            label={t.swarms.list.search}
            placeholder={t.swarms.list.search_hint}
            field={search}
            onChange={(next) => setUrl({ q: next })}
          />
        </div>
        {phone ? (
          <IconButton icon="plus" look="quiet" label={t.swarms.list.create} onClick={create} />
        ) : (
          <Button look="primary" icon="plus" onClick={create}>
            {t.swarms.list.create}
          </Button>
        )}
        <JumpButton />
      </header>
      {list.isPending && (
        <div className="swarms-box">
          <SkeletonRows count={6} badge={false} label={t.swarms.loading} />
        </div>
      )}
      {list.isError && !first && (
        <LoadFailed
          title={t.swarms.list.error_title}
          error={list.error}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {first && <SwarmTables {...{ rows, first, q, user_id }} onCreate={create} onClear={() => setUrl({ q: '' })} />}
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.swarms.show_more}
        </Button>
      )}
      {creating && (
        <CreateSwarm
          onClose={() => setCreating(false)}
          onCreated={({ id, name }) => {
            toasts.show({ title: <Rich text={t.swarms.create.created} name={<Bdi>{name}</Bdi>} />, icon: 'check' });
            void navigate(`/swarms/${id}`);
          }}
        />
      )}
    </div>
  );
}

/** Moves the focus to the name of the next or the previous swarm. */
function stepTo(page: HTMLElement | null, by: 1 | -1) {
  const names = [...(page?.querySelectorAll<HTMLElement>('.swarm-table-name') ?? [])];
  const at = names.indexOf(document.activeElement as HTMLElement);
  (at < 0 ? names.at(0) : (names[at + by] ?? names[at]))?.focus();
}

function SwarmTables({
  rows,
  first,
  q,
  user_id,
  onCreate,
  onClear,
}: {
  rows: SwarmItem[];
  first: Omit<SwarmList, 'at'>;
  q: string;
  user_id: string;
  onCreate(): void;
  onClear(): void;
}) {
  if (rows.length === 0 && q !== '') {
    return (
      <Empty icon="search" title={t.swarms.list.no_match.replace('{q}', () => q)} text={t.swarms.list.no_match_text}>
        <Button onClick={onClear}>{t.swarms.list.clear}</Button>
      </Empty>
    );
  }
  if (rows.length === 0) {
    return (
      <Empty icon="swarm" title={t.swarms.list.empty_title} text={t.swarms.list.empty_text}>
        <Button look="primary" icon="plus" onClick={onCreate}>
          {t.swarms.list.create}
        </Button>
      </Empty>
    );
  }
  const owned = rows.filter((swarm) => swarm.user_id === user_id);
  const joined = rows.filter((swarm) => swarm.user_id !== user_id);
  return (
    <>
      <SwarmTable kind="owned" swarms={owned} count={formatNumber(first.owned)} />
      <SwarmTable kind="joined" swarms={joined} count={formatNumber(first.joined)} />
    </>
  );
}
