import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { OperatedUser, ServerStats } from '@swarmdeck/bff/contract';
import { readSearch } from '../../data/filter-params.ts';
import { ProblemError } from '../../data/problem.ts';
import { formatDay } from '../../text/calendar.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Chip, Tag } from '../../ui/symbols/chip.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { PageHead } from '../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import { PagedList } from '../../ui/lists/paged-list.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useRowHeight } from '../../ui/lists/row-height.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { useUrlState, type UrlCodec } from '../../ui/urls/url-state.ts';
import { SectionState } from '../../shared/section-state.tsx';
import './operator.css';
import { UserDialog } from './user-dialog.tsx';
import { serverStatsQuery, usersQuery, type UserFilter } from './users.api.ts';

const filterUrl: UrlCodec<UserFilter> = {
  read: (params) => ({ q: readSearch(params), state: params.get('state') === 'disabled' ? 'disabled' : '' }),
  write: ({ q, state }) => ({ q: q || undefined, state: state || undefined }),
};

/** All users, by name. The server answers others than operators with an error. */
export function UsersPage() {
  usePageTitle(t.operator.title);
  const [filter, setFilter] = useUrlState(filterUrl);
  const query = useInfiniteQuery(usersQuery(filter));
  const [opened, setOpened] = useState<string>();
  const rowHeight = useRowHeight({ base: 56, phone: 92 });
  const pages = query.data?.pages;
  const users = useMemo(
    () => pages?.flatMap(({ items }) => items.map((user) => ({ ...user, id: user.user_id }))) ?? [],
    [pages],
  );
  const total = pages?.[0]?.total;
  const isFiltered = filter.q !== '' || filter.state !== '';
  return (
    <div className="page">
      <PageHead back={{ to: '/account', label: t.activity.back }}>
        <h1>{t.operator.title}</h1>
      </PageHead>
      <div className="page-scroll page-lists stack gap-4 operator">
        <p className="quiet">{t.operator.text}</p>
        <Stats />
        <div className="line wraps list-filter">
          <SearchField
            q={filter.q}
            label={t.operator.search}
            placeholder={t.operator.search}
            onChange={(q) => setFilter({ q })}
          />
          <Chip
            label={t.operator.disabled}
            pressed={filter.state === 'disabled'}
            onToggle={() => setFilter(({ state }) => ({ state: state === '' ? 'disabled' : '' }))}
          />
        </div>
        {query.isPending && <SkeletonRows count={8} badge={false} label={t.account.loading} />}
        {query.isError &&
          !query.data &&
          (isForbidden(query.error) ? (
            <Empty icon="lock" title={t.operator.forbidden} text={t.operator.forbidden_text} />
          ) : (
            <LoadFailed title={t.operator.failed} query={query} />
          ))}
        {query.data && users.length === 0 && (
          <Empty icon="user" title={t.operator.none}>
            {isFiltered && <Button onClick={() => setFilter({ q: '', state: '' })}>{t.activity.clear}</Button>}
          </Empty>
        )}
        {users.length > 0 && (
          <Box title={t.operator.title} count={total === undefined ? undefined : formatNumber(total)}>
            <PagedList
              className="in-page"
              label={t.operator.title}
              items={users}
              query={query}
              rowHeight={rowHeight}
              renderItem={(user, tabIndex) => (
                <UserRow user={user} tabIndex={tabIndex} onOpen={() => setOpened(user.user_id)} />
              )}
            />
          </Box>
        )}
      </div>
      {opened !== undefined && <UserDialog name={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

const isForbidden = (error: unknown) => error instanceof ProblemError && error.code === 'operator.required';

interface UserRowProps {
  user: OperatedUser;
  tabIndex: 0 | -1;
  onOpen(): void;
}

function UserRow({ user, tabIndex, onOpen }: UserRowProps) {
  const { user_id, created_at, active_at, resources } = user;
  const now = useNow();
  return (
    <div className="box-row operator-user">
      <div className="box-row-words">
        <p className="box-row-title">
          <Bdi className="one-line">{user_id}</Bdi> <UserTags user={user} />
        </p>
        <p className="quiet lines">
          <Rich
            text={active_at === null ? t.operator.line_inactive : t.operator.line}
            devices={t.account.profile.devices(resources)}
            created={<Time at={created_at} />}
            active={active_at !== null && formatDay(active_at, now)}
          />
        </p>
      </div>
      <Button
        look="quiet"
        size="row"
        aria-label={t.operator.show_of(user_id)}
        data-row={user_id}
        tabIndex={tabIndex}
        onClick={onOpen}
      >
        {t.operator.show}
      </Button>
    </div>
  );
}

function UserTags({ user: { disabled_at, role } }: { user: OperatedUser }) {
  return (
    <>
      {disabled_at !== null && <Tag>{t.operator.disabled}</Tag>} {role !== null && <Tag>{t.operator.role}</Tag>}
    </>
  );
}

function Stats() {
  const query = useQuery(serverStatsQuery);
  return (
    <Box title={t.operator.stats_title}>
      <SectionState query={query}>
        {(stats) => (
          <dl className="operator-stats">
            {Object.entries(t.operator.stats).map(([name, label]) => (
              <div key={name}>
                <dt className="quiet">{label}</dt>
                <dd className="numbers">{formatNumber(stats[name as Exclude<keyof ServerStats, 'at'>])}</dd>
              </div>
            ))}
          </dl>
        )}
      </SectionState>
    </Box>
  );
}
