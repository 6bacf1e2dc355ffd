import type { DirectorySort, DirectorySwarm } from '@swarmdeck/bff/contract';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { readSearch } from '../../../data/filter-params.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { MoreButton } from '../../../ui/buttons/more-button.tsx';
import { JumpButton, PageHead } from '../../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { useUrlState, type UrlCodec } from '../../../ui/urls/url-state.ts';
import { useSwarmKeys } from '../list/use-swarm-keys.ts';
import { backToSwarms } from '../swarm-head.tsx';
import { directoryQuery, type DirectoryFilter } from './discover.api.ts';
import './discover-page.css';
import '../../../ui/lists/row-link.css';

const sorts: readonly DirectorySort[] = ['-active', '-members', 'name'];
const filterUrl: UrlCodec<DirectoryFilter> = {
  read: (params) => ({
    q: readSearch(params),
    sort: sorts.find((sort) => sort === params.get('sort')) ?? '-active',
  }),
  write: ({ q, sort }) => ({ q: q || undefined, sort: sort === '-active' ? undefined : sort }),
};

/** The public swarms that their owners list, for every user. */
export function DiscoverPage() {
  const words = t.swarms.discover;
  usePageTitle(words.title);
  const [filter, setFilter] = useUrlState(filterUrl);
  const { page, search } = useSwarmKeys();
  const { query: list, rows, first } = usePagedQuery(directoryQuery(filter));
  return (
    <div ref={page} className="page swarm-page">
      <PageHead back={backToSwarms()}>
        <h1 className="grow">{words.title}</h1>
        <JumpButton />
      </PageHead>
      <div className="page-scroll">
        <div className="page-lists stack gap-4 discover">
          <p className="quiet">{words.text}</p>
          <div className="line wraps list-filter">
            <SearchField
              q={filter.q}
              label={words.search}
              placeholder={words.search_hint}
              field={search}
              onChange={(q) => setFilter({ q })}
            />
            <Select
              aria-label={words.sort}
              value={filter.sort}
              options={sorts.map((value) => ({ value, label: words.sorts[value] }))}
              onChange={(sort) => setFilter({ sort })}
            />
          </div>
          {list.isPending && <SkeletonRows count={6} badge={false} label={t.swarms.loading} />}
          {list.isError && !first && <LoadFailed title={t.swarms.list.error_title} query={list} />}
          {first && rows.length === 0 && <NothingListed q={filter.q} onClear={() => setFilter({ q: '' })} />}
          {first && rows.length > 0 && (
            <Box title={words.listed} count={formatNumber(first.total ?? rows.length)}>
              <ul>
                {rows.map((swarm) => (
                  <DirectoryRow key={swarm.id} swarm={swarm} />
                ))}
              </ul>
            </Box>
          )}
          <MoreButton query={list} label={t.swarms.show_more} end={t.swarms.search_rest} />
        </div>
      </div>
    </div>
  );
}

function NothingListed({ q, onClear }: { q: string; onClear(): void }) {
  if (q === '') {
    return <Empty icon="globe" title={t.swarms.discover.empty_title} text={t.swarms.discover.empty_text} />;
  }
  return (
    <Empty icon="search" title={t.swarms.list.no_match.replace('{q}', () => q)} text={t.swarms.list.no_match_text}>
      <Button onClick={onClear}>{t.swarms.list.clear}</Button>
    </Empty>
  );
}

function DirectoryRow({ swarm }: { swarm: DirectorySwarm }) {
  const { id, name, user_id, description, member_count, active_at } = swarm;
  return (
    <li className="box-row hoverable discover-row">
      <div className="box-row-words">
        <p className="discover-title">
          <Link to={`/swarms/${id}`} className="row-link">
            <Bdi>{name}</Bdi>
          </Link>{' '}
          <span className="quiet">
            <Rich text={t.swarms.by} owner={<Bdi>{user_id}</Bdi>} />
          </span>
        </p>
        {description !== '' && (
          <p className="lines">
            <Bdi>{description}</Bdi>
          </p>
        )}
        <p className="quiet numbers">
          {t.swarms.member_count(member_count)}
          {' · '}
          <Rich text={t.swarms.active} time={<Time at={active_at} />} />
        </p>
      </div>
    </li>
  );
}
