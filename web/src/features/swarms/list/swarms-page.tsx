import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SwarmItem, SwarmList } from '@swarmdeck/bff/contract';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink, IconButton, IconLink } from '../../../ui/buttons/button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import type { NextPageQuery } from '../../../ui/buttons/more-button.tsx';
import { JumpButton } from '../../../ui/pages/page-head.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { textCodec, useUrlState } from '../../../ui/urls/url-state.ts';
import { useNavigationRequest } from '../../../ui/urls/use-navigation-request.ts';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { swarmListQuery } from '../swarms.api.ts';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { SwarmTable } from './swarm-table.tsx';
import './swarms-page.css';
import { CreateSwarm, type FirstMember } from '../create-swarm.tsx';
import { useSwarmKeys } from './use-swarm-keys.ts';

const Offers = lazyPart(async () => (await import('../managers/offers.tsx')).Offers);

const searchUrl = textCodec('q');

/** The swarms that the user owns, and those that the user manages or has devices in. */
export function SwarmsPage({ user_id }: { user_id: string }) {
  usePageTitle(t.swarms.list.title);
  const navigate = useNavigate();
  const Actions = useMedia(phone) ? PhoneActions : DeskActions;
  const [{ q }, setUrl] = useUrlState(searchUrl);
  // With a device, if a new user comes from its next steps, and with the name that was searched where it should be added.
  const [creating, setCreating] = useState<{ device?: FirstMember; name?: string } | null>(null);
  const { page, search } = useSwarmKeys();
  const { query: list, rows, first } = usePagedQuery(swarmListQuery(q));

  const create = () => setCreating({});
  useNavigationRequest<NonNullable<typeof creating>>('create', setCreating);
  return (
    <div ref={page} className="swarms">
      <header className="line gap-3 swarms-head">
        <h1 className="grow">{t.swarms.list.title}</h1>
        <div className="swarms-search">
          <SearchField
            q={q}
            label={t.swarms.list.search}
            placeholder={t.swarms.list.search_hint}
            field={search}
            onChange={(next) => setUrl({ q: next })}
          />
        </div>
        <Actions onCreate={create} />
        <JumpButton />
      </header>
      <Offers user_id={user_id} isOfSwarms />
      {list.isPending && (
        <div className="swarms-box">
          <SkeletonRows count={6} badge={false} label={t.swarms.loading} />
        </div>
      )}
      {list.isError && !first && <LoadFailed title={t.swarms.list.error_title} query={list} />}
      {first && (
        <SwarmTables rows={rows} first={first} q={q} query={list} onCreate={create} onClear={() => setUrl({ q: '' })} />
      )}
      {creating && (
        <CreateSwarm
          {...creating}
          onClose={() => setCreating(null)}
          onCreated={({ id }) => void navigate(`/swarms/${id}`)}
        />
      )}
    </div>
  );
}

function DeskActions({ onCreate }: { onCreate(): void }) {
  return (
    <>
      <ButtonLink icon="globe" to="/discover">
        {t.swarms.discover.title}
      </ButtonLink>
      <Button look="primary" icon="plus" onClick={onCreate}>
        {t.swarms.list.create}
      </Button>
    </>
  );
}

function PhoneActions({ onCreate }: { onCreate(): void }) {
  return (
    <>
      <IconLink icon="globe" to="/discover" label={t.swarms.discover.title} />
      <IconButton icon="plus" look="quiet" label={t.swarms.list.create} onClick={onCreate} />
    </>
  );
}

interface SwarmTablesProps {
  rows: SwarmItem[];
  first: Omit<SwarmList, 'at'>;
  q: string;
  query: NextPageQuery;
  onCreate(): void;
  onClear(): void;
}

function SwarmTables({ rows, first, q, query, onCreate, onClear }: SwarmTablesProps) {
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
        <ButtonLink icon="globe" to="/discover">
          {t.swarms.discover.title}
        </ButtonLink>
      </Empty>
    );
  }
  const of = (relation: SwarmItem['relation']) => rows.filter((swarm) => swarm.relation === relation);
  const tables = [
    { kind: 'owned', swarms: of('owner'), count: first.owned },
    { kind: 'managed', swarms: of('manager'), count: first.managed },
    { kind: 'watched', swarms: of('watcher'), count: first.watched },
    { kind: 'joined', swarms: of('member'), count: first.joined },
  ] as const;
  // The rows of a table that is not shown yet follow with a later page.
  const shown = tables.filter(
    ({ kind, swarms, count }) => swarms.length > 0 || kind === 'owned' || (kind === 'joined' && count === 0),
  );
  const last = shown.findLast(({ swarms }) => swarms.length > 0);
  return shown.map(({ kind, swarms, count }) => (
    <SwarmTable
      key={kind}
      kind={kind}
      swarms={swarms}
      count={formatNumber(count)}
      query={kind === last?.kind ? query : wholeList}
    />
  ));
}

/** The query of a table whose rows are all loaded. */
const wholeList: NextPageQuery = {
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: () => undefined,
};
