import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ActivityTopic } from '@swarmdeck/bff/contract';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Chip } from '../../ui/symbols/chip.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { MoreButton } from '../../ui/buttons/more-button.tsx';
import { PageHead } from '../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { useUrlState, type UrlCodec } from '../../ui/urls/url-state.ts';
import { accountQuery } from '../../shared/account/account.api.ts';
import { ActionList, NewestActions } from './action-list.tsx';
import { activityQuery, readActivityFile, useMarkRead, type ActivityFilter } from './activity.api.ts';
import { blocksOf, groupsOf, isNewTo, moreOf } from './activity-groups.ts';
import { ActivityGroupLine } from './activity-line.tsx';
import './activity.css';
import { useErrorToast } from '../../ui/toasts/toast.tsx';

const pageSize = 100;
/** The assumed height of a line that was not in sight yet, in px. */
const lineHeight = 44;
const topics: readonly ActivityTopic[] = ['invitation', 'member', 'resource', 'swarm', 'account'];
/** The user's own actions, which can be undone. They are another list. */
const changes = 'changes';
const shown = [changes, ...topics] as const;
const filterUrl: UrlCodec<{ topic: (typeof shown)[number] | ''; resource_id: string; swarm_id: string }> = {
  read: (params) => ({
    topic: shown.find((topic) => topic === params.get('topic')) ?? '',
    resource_id: params.get('resource_id') ?? '',
    swarm_id: params.get('swarm_id') ?? '',
  }),
  write: ({ topic, resource_id, swarm_id }) => ({
    topic: topic || undefined,
    resource_id: resource_id || undefined,
    swarm_id: swarm_id || undefined,
  }),
};

/** The whole log, filtered by topic, device or swarm. Opening it without a filter marks everything as read. */
export function ActivityPage() {
  usePageTitle(t.activity.title);
  const [{ topic, resource_id, swarm_id }, setUrl] = useUrlState(filterUrl);
  const isLog = topic !== changes;
  const filter: ActivityFilter = {
    ...(topic && isLog && { topic }),
    ...(resource_id && { resource_id }),
    ...(swarm_id && { swarm_id }),
  };
  const isFiltered = !isLog || Object.keys(filter).length > 0;
  const log = useActivityLog({ filter, isEnabled: isLog, marksRead: !isFiltered });
  return (
    <div className="page">
      <PageHead back={{ to: '/account', label: t.activity.back }}>
        <h1 className="grow">{t.activity.title}</h1>
        {isLog && <ExportButton filter={filter} disabled={log.items.length === 0} />}
      </PageHead>
      <div className="page-scroll page-lists activity-body">
        <p className="activity-text">{isLog ? t.activity.text : t.activity.actions.text}</p>
        <fieldset className="line wraps activity-chips" aria-label={t.activity.topics.label}>
          {shown.map((each) => (
            <Chip
              key={each}
              label={each === changes ? t.activity.actions.title : t.activity.topics[each]}
              pressed={topic === each}
              onToggle={() =>
                setUrl(({ topic: now }) => ({
                  topic: now === each ? '' : each,
                  ...(each === changes && { resource_id: '', swarm_id: '' }),
                }))
              }
            />
          ))}
          {resource_id && <Chip label={t.activity.of_device} pressed onToggle={() => setUrl({ resource_id: '' })} />}
          {swarm_id && <Chip label={t.activity.of_swarm} pressed onToggle={() => setUrl({ swarm_id: '' })} />}
        </fieldset>
        {!isFiltered && <NewestActions onShowAll={() => setUrl({ topic: changes })} />}
        {isLog ? (
          <ActivityLog
            log={log}
            onClear={isFiltered ? () => setUrl({ topic: '', resource_id: '', swarm_id: '' }) : undefined}
          />
        ) : (
          <ActionList />
        )}
      </div>
    </div>
  );
}

interface LogOptions {
  filter: ActivityFilter;
  isEnabled: boolean;
  /** All that is there was seen. */
  marksRead: boolean;
}

/** The entries that match, and which of them are new to the user. */
function useActivityLog({ filter, isEnabled, marksRead }: LogOptions) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const { query, rows: items, first } = usePagedQuery({ ...activityQuery(filter, pageSize), enabled: isEnabled });
  // New entries stay marked until the page is left.
  const [readBefore, setReadBefore] = useState<number>();
  if (first && readBefore === undefined) setReadBefore(first.read);
  const { mutate: markRead } = useMarkRead();
  const newestId = first?.items[0]?.id ?? 0;
  useEffect(() => {
    if (marksRead && newestId > 0) markRead(newestId);
  }, [marksRead, newestId, markRead]);
  // A new function would render all lines again.
  const isUnread = useMemo(() => isNewTo(user_id, readBefore), [user_id, readBefore]);
  return { query, items, user_id, readBefore, isUnread };
}

interface LogProps {
  log: ReturnType<typeof useActivityLog>;
  /** Undefined if nothing is filtered. */
  onClear: (() => void) | undefined;
}

/** The loading, error and empty states, or the lines. */
function ActivityLog({ log, onClear }: LogProps) {
  const { query, items } = log;
  if (query.isPending) return <SkeletonRows count={8} badge={false} label={t.account.loading} />;
  if (query.isError && !query.data) return <LoadFailed title={t.activity.error_title} query={query} />;
  return (
    <>
      {items.length === 0 ? <NoEntries onClear={onClear} /> : <Blocks log={log} />}
      <MoreButton query={query} label={t.activity.show_older} end={t.activity.older} />
    </>
  );
}

function NoEntries({ onClear }: Pick<LogProps, 'onClear'>) {
  if (!onClear) return <Empty icon="clock" title={t.activity.empty_title} text={t.activity.empty_text} />;
  return (
    <Empty icon="clock" title={t.activity.none_title}>
      <Button onClick={onClear}>{t.activity.clear}</Button>
    </Empty>
  );
}

function Blocks({ log: { query, items, user_id, readBefore, isUnread } }: Pick<LogProps, 'log'>) {
  const groups = groupsOf(items);
  return (
    <div className="box activity-list">
      {[...blocksOf(groups, readBefore)].map(([number, block]) => (
        <ul
          key={number}
          className="activity-block"
          aria-label={t.activity.title}
          style={{ containIntrinsicBlockSize: `auto ${block.length * lineHeight}px` }}
        >
          {block.map((group) => (
            <ActivityGroupLine
              key={group.entries[0].id}
              group={group}
              user_id={user_id}
              isUnread={isUnread}
              more={query.hasNextPage && group === groups.at(-1) ? moreOf(group, query.data!.pages.at(-1)!) : 0}
            />
          ))}
        </ul>
      ))}
    </div>
  );
}

/** Saves the whole log, as it is filtered. */
function ExportButton({ filter, disabled }: { filter: ActivityFilter; disabled: boolean }) {
  const showError = useErrorToast();
  const save = useMutation({
    mutationFn: () => readActivityFile(filter),
    onSuccess: (parts) => saveFile({ name: t.activity.file_name, parts }),
    onError: (error) => showError(error),
  });
  return (
    <Button busy={save.isPending} disabled={disabled} onClick={() => save.mutate()}>
      {t.activity.export}
    </Button>
  );
}
