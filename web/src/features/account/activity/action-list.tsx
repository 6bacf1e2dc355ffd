import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { actionLimits } from '@swarmdeck/bff/limits';
import type { Action, ActionItem, ActionKind } from '@swarmdeck/bff/contract';
import { actionHistoryQuery, actionResultsQuery } from '../../../api/action-history.ts';
import { failedItems, useActionRequests } from '../../../api/actions.ts';
import { UndoEnded } from '../../../bulk/undo-ended.tsx';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import './activity.css';

/** What the user did to one or many records, with its failures, and Undo. */
export function ActionList() {
  const query = useInfiniteQuery(actionHistoryQuery);
  const actions = query.data?.pages.flatMap((page) => page.actions) ?? [];
  const say = t.activity.actions;
  if (query.isPending) return <SkeletonRows count={8} badge={false} label={t.account.loading} />;
  if (query.isError && !query.data) {
    const retry = () => void query.refetch();
    return <LoadFailed title={say.error_title} error={query.error} busy={query.isFetching} onRetry={retry} />;
  }
  if (actions.length === 0) return <Empty icon="clock" title={say.empty_title} text={say.empty_text} />;
  return (
    <>
      <ul className="box activity-list" aria-label={say.title}>
        {actions.map((action) => (
          <ActionLine key={action.id} action={action} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.activity.show_older}
        </Button>
      )}
    </>
  );
}

const icons: Record<ActionKind, IconName> = {
  answer: 'inbox',
  withdraw: 'inbox',
  invite_again: 'send',
  invite: 'send',
  add_member: 'swarm',
  change_role: 'swarm',
  remove_member: 'swarm',
  import: 'upload',
  update: 'edit',
  delete: 'trash',
  delete_swarm: 'trash',
  delete_view: 'trash',
  undo: 'undo',
};

function ActionLine({ action }: { action: Action }) {
  const { kind, total, done, failed, ended_at, created_at, undone_by } = action;
  const say = t.activity.actions;
  const [isOpen, setOpen] = useState(false);
  const notes = [failed > 0 && say.failed(failed), done < total && say.stopped(total - done)].filter(Boolean);
  return (
    <li className="action-line">
      <details className="activity-group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="box-row activity-line">
            <Icon name={icons[kind]} />
            <span className="box-row-words activity-words">
              <ActionSentence {...action} count={done - failed} />
              {notes.length > 0 && <span className="action-notes"> · {notes.join(' · ')}</span>}{' '}
              {undone_by !== null && <Tag>{say.undone}</Tag>}
            </span>
            <span className="activity-time">
              <Time at={ended_at ?? created_at} />
            </span>
            <Icon name="down" size={16} />
          </span>
        </summary>
        {isOpen && <ActionDetails action={action} />}
      </details>
      <UndoEnded action={action} size="row" look="accent" />
    </li>
  );
}

/** `Deleted 12 devices`. `count`: of the items that were changed. */
function ActionSentence({ kind, about, count }: Pick<Action, 'kind' | 'about'> & { count: number }): ReactNode {
  const say = t.activity.actions;
  const action = { kind, about } as Action;
  switch (action.kind) {
    case 'answer':
      return say[action.about.answer](count);
    case 'update':
      return action.about.machine_type === undefined ? (
        say.set_description(count)
      ) : (
        <Rich text={say.set_type(count)} type={t.shell.machine_types[action.about.machine_type]} />
      );
    case 'undo': {
      const { kind, of } = action.about;
      return (
        <Rich text={say.undo} action={<ActionSentence kind={kind} about={of as Action['about']} count={count} />} />
      );
    }
    default: {
      const names = action.about as { swarm?: { name: string }; file?: string; resource_type?: string };
      const roles: Record<string, string> = t.shell.roles_in_sentences;
      return (
        <Rich
          text={say[action.kind](count)}
          swarm={<bdi className="activity-name">{names.swarm?.name}</bdi>}
          file={<bdi className="activity-name">{names.file}</bdi>}
          role={roles[names.resource_type ?? '']}
        />
      );
    }
  }
}

/** The count says how many there are. */
const mostListed = 100;

function ActionDetails({ action: { id, total, failed } }: { action: Action }) {
  const { retry } = useActionRequests();
  const say = t.activity.actions;
  const query = useQuery(total > actionLimits.itemsShown ? failedItems(id) : actionResultsQuery(id));
  const rows = query.data?.toSorted((a, b) => Number(b.result !== null) - Number(a.result !== null)) ?? [];
  return (
    <div className="action-details">
      {failed > 0 && (
        <p className="action-buttons">
          <Button size="small" sends onClick={() => void retry(id)}>
            {say.retry}
          </Button>
          <a href={`/api/actions/${id}/results?failed=true&format=csv`} download>
            {say.save_failed}
          </a>
        </p>
      )}
      {query.isPending && <SkeletonRows count={2} badge={false} label={t.account.loading} />}
      {query.isError && <p className="quiet">{say.items_error}</p>}
      <ul>
        {rows.slice(0, mostListed).map(({ item, result }, index) => (
          // oxlint: an item may occur twice
          <li key={index}>
            {'line' in item && <span className="quiet numbers">{t.import.check.line(formatNumber(item.line))} </span>}
            <bdi>{nameOf(item)}</bdi>
            {result && <span className="action-notes"> · {problemSentence(result)}</span>}
          </li>
        ))}
        {rows.length > mostListed && <li>{t.bulk.more(formatNumber(rows.length - mostListed))}</li>}
      </ul>
    </div>
  );
}

const nameOf = (item: ActionItem) => ('name' in item ? item.name : item.resource_id);
