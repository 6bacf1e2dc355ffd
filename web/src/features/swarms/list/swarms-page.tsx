import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SwarmItem, SwarmList } from '@swarmdeck/bff/contract';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink, IconButton, IconLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { JumpButton } from '../../../ui/page-head.tsx';
import { phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { textCodec, useUrlState } from '../../../ui/url-state.ts';
import { useNavigationRequest } from '../../../ui/use-navigation-request.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { swarmListQuery } from '../swarms.api.ts';
import { lazyPart } from '../../../ui/lazy.tsx';
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
  const toasts = useToasts();
  const phone = useMedia(phoneQuery);
  const [{ q }, setUrl] = useUrlState(searchUrl);
  // With a device, if a new user comes from its next steps.
  const [creating, setCreating] = useState<{ device?: FirstMember } | null>(null);
  const { page, search } = useSwarmKeys();
  const { query: list, rows, first } = usePagedQuery(swarmListQuery(q));

  const create = () => setCreating({});
  useNavigationRequest<FirstMember | null>('create', (device) => setCreating(device ? { device } : {}));
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
        {phone ? (
          <IconLink icon="globe" to="/discover" label={t.swarms.discover.title} />
        ) : (
          <ButtonLink icon="globe" to="/discover">
            {t.swarms.discover.title}
          </ButtonLink>
        )}
        {phone ? (
          <IconButton icon="plus" look="quiet" label={t.swarms.list.create} onClick={create} />
        ) : (
          <Button look="primary" icon="plus" onClick={create}>
            {t.swarms.list.create}
          </Button>
        )}
        <JumpButton />
      </header>
      <Offers user_id={user_id} />
      {list.isPending && (
        <div className="swarms-box">
          <SkeletonRows count={6} badge={false} label={t.swarms.loading} />
        </div>
      )}
      {list.isError && !first && <LoadFailed title={t.swarms.list.error_title} query={list} />}
      {first && <SwarmTables {...{ rows, first, q }} onCreate={create} onClear={() => setUrl({ q: '' })} />}
      <MoreButton query={list} label={t.swarms.show_more} end={t.swarms.search_rest} />
      {creating && (
        <CreateSwarm
          {...creating}
          onClose={() => setCreating(null)}
          onCreated={({ id, name }) => {
            toasts.show({ title: <Rich text={t.swarms.create.created} name={<Bdi>{name}</Bdi>} />, icon: 'check' });
            void navigate(`/swarms/${id}`);
          }}
        />
      )}
    </div>
  );
}

interface SwarmTablesProps {
  rows: SwarmItem[];
  first: Omit<SwarmList, 'at'>;
  q: string;
  onCreate(): void;
  onClear(): void;
}

function SwarmTables({ rows, first, q, onCreate, onClear }: SwarmTablesProps) {
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
  return (
    <>
      <SwarmTable kind="owned" swarms={of('owner')} count={formatNumber(first.owned)} />
      {/* Those on a later page follow with it. */}
      {of('manager').length > 0 && (
        <SwarmTable kind="managed" swarms={of('manager')} count={formatNumber(first.managed)} />
      )}
      {of('watcher').length > 0 && (
        <SwarmTable kind="watched" swarms={of('watcher')} count={formatNumber(first.watched)} />
      )}
      {(of('member').length > 0 || first.joined === 0) && (
        <SwarmTable kind="joined" swarms={of('member')} count={formatNumber(first.joined)} />
      )}
    </>
  );
}
