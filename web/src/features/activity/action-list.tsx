import { pathTo } from '../../data/path-to.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import type { Action, ActionKind } from '@swarmdeck/bff/contract';
import { isKnownKind } from '../../data/actions/action-kinds.ts';
import { actionHistoryQuery, actionResultsQuery, deviceHistoryQuery } from '../../data/actions/action-history.ts';
import { failedItems, useActionRequests, useShowsActions } from '../../data/actions/actions.ts';
import { useActions } from '../../data/actions/shown-actions.ts';
import {
  hasOnlyKept,
  isKept,
  labelsOf,
  mayBePartlyUndone,
  nameOfItem,
  resultSentence,
} from '../../shared/actions/action-labels.tsx';
import { mayRetry, resultsOf } from '../../shared/actions/failed-items.tsx';
import { UndoEnded } from '../../shared/actions/undo-ended.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Tag } from '../../ui/symbols/chip.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { Icon, type IconName } from '../../ui/symbols/icon.tsx';
import { LoadFailed, LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { MoreButton } from '../../ui/buttons/more-button.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { downloadCsv } from '../../shared/download-csv.ts';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { ActionSentence } from '../../shared/actions/action-sentence.tsx';
import './activity.css';

/** So many are above the log. */
const mostNewest = 5;

/** What the log says too. */
const logged: readonly ActionKind[] = [
  'answer',
  'withdraw',
  'invite',
  'join',
  'ask_to_join',
  'add_member',
  'change_role',
  'narrow_role',
  'remove_member',
  'extend_member',
  'offer_end',
  'import',
  'delete',
  'delete_swarm',
];

/** Whether the log below has it, and there is nothing more to do about it. */
export const isInLog = ({ kind, can_undo, failed, done, total }: Action): boolean =>
  logged.includes(kind) && !can_undo && failed === 0 && done === total;

const isUndoOf =
  ({ id }: Action) =>
  ({ kind, about }: Action) =>
    kind === 'undo' && about.action === id;

const hasAllFailed = ({ failed, total }: Action) => failed === total;

/** Those that this app knows. One whose undo has failed is not marked as undone. An undo is newer, so it is among them. */
export const markedActions = (actions: readonly Action[]): Action[] =>
  actions.filter(isKnownKind).map((action) => {
    const undos = actions.filter(isUndoOf(action));
    return undos.length > 0 && undos.every(hasAllFailed) ? { ...action, undone_by: null } : action;
  });

const newestOf = (actions: readonly Action[] = []) =>
  markedActions(actions)
    .filter((action) => !isInLog(action))
    .slice(0, mostNewest);

/** The newest of them, above the log. Nothing if there are none. */
export function NewestActions({ onShowAll }: { onShowAll(): void }) {
  useShowsActions('ended');
  const { data } = useInfiniteQuery(actionHistoryQuery);
  const actions = newestOf(data?.pages[0]?.actions);
  if (actions.length === 0) return null;
  const { title, show_all } = t.activity.actions;
  return (
    <div className="activity-own">
      <Box
        title={title}
        action={
          <Button size="small" onClick={onShowAll}>
            {show_all}
          </Button>
        }
      >
        <ul aria-label={title}>
          {actions.map((action) => (
            <ActionLine key={action.id} action={action} />
          ))}
        </ul>
      </Box>
    </div>
  );
}

/** The newest actions of the user on this device alone. */
export function useDeviceChanges(id: string | undefined): Action[] {
  const { data } = useInfiniteQuery({ ...deviceHistoryQuery(id ?? ''), enabled: id !== undefined });
  return newestOf(data?.pages[0]?.actions);
}

/** What the user did to one or many records, with its failures, and Undo. */
export function ActionList() {
  useShowsActions('ended');
  const query = useInfiniteQuery(actionHistoryQuery);
  const actions = markedActions(query.data?.pages.flatMap((page) => page.actions) ?? []);
  const say = t.activity.actions;
  if (query.isPending) return <SkeletonRows count={8} badge={false} label={t.account.loading} />;
  if (query.isError && !query.data) return <LoadFailed title={say.error_title} query={query} />;
  if (actions.length === 0) return <Empty icon="clock" title={say.empty_title} text={say.empty_text} />;
  return (
    <>
      <ul className="box activity-list" aria-label={say.title}>
        {actions.map((action) => (
          <ActionLine key={action.id} action={action} />
        ))}
      </ul>
      <MoreButton query={query} label={t.activity.show_older} end={t.activity.older_actions} />
    </>
  );
}

const icons: Record<ActionKind, IconName> = {
  answer: 'inbox',
  withdraw: 'inbox',
  invite_again: 'send',
  invite: 'send',
  join: 'swarm',
  ask_to_join: 'swarm',
  add_member: 'swarm',
  change_role: 'swarm',
  narrow_role: 'swarm',
  remove_member: 'swarm',
  extend_member: 'clock',
  offer_end: 'clock',
  import: 'upload',
  update: 'edit',
  edit: 'edit',
  delete: 'trash',
  delete_swarm: 'trash',
  delete_view: 'trash',
  undo: 'undo',
};

/** What was left alone is no fault. */
const toneOf = (action: Action) => (hasOnlyKept(action) ? 'quiet' : 'bad');

/** What was done, or that nothing of it was. */
export function Outcome({ action }: { action: Action }) {
  if (!hasAllFailed(action)) return <ActionSentence {...action} count={action.changed} />;
  if (action.kind !== 'undo') return <span className="bad">{labelsOf(action).failedLabel(action)}</span>;
  const { kind, of } = action.about;
  return (
    <span className={toneOf(action)}>
      <Rich
        text={t.activity.actions[mayBePartlyUndone(action) ? 'partly_undone' : 'not_undone']}
        action={<ActionSentence kind={kind} about={of} count={action.failed} />}
      />
    </span>
  );
}

export function ActionLine({ action }: { action: Action }) {
  const { kind, items, total, done, failed, ended_at, created_at, undone_by, retried_by } = action;
  const only = total === 1 ? items?.[0] : undefined;
  const say = t.activity.actions;
  const [isOpen, setOpen] = useState(false);
  const notes = [
    failed > 0 &&
      !hasAllFailed(action) &&
      (hasOnlyKept(action) ? labelsOf(action).failedLabel(action) : say.failed(failed)),
    done < total && say.stopped(total - done),
  ].filter(Boolean);
  return (
    <li className="action-line">
      <details className="activity-group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="box-row activity-line">
            <Icon name={icons[kind]} />
            <span className="box-row-words activity-words">
              <Outcome action={action} />
              {only && (
                <>
                  {' · '}
                  <Bdi className="activity-name one-line">{nameOfItem(only)}</Bdi>
                </>
              )}
              {notes.length > 0 && (
                <span className={done < total ? 'bad' : toneOf(action)}> · {notes.join(' · ')}</span>
              )}{' '}
              {retried_by !== undefined && <Tag>{say.retried}</Tag>}
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
      {canUndoAgain(action) ? <UndoAgain action={action} /> : <UndoEnded action={action} size="row" look="accent" />}
    </li>
  );
}

/** Whether an undo could not be done. What it needs, such as a deleted device, can come back by another undo. */
const canUndoAgain = ({ kind, failed, retried_by, results }: Action) =>
  kind === 'undo' && failed > 0 && retried_by === undefined && (!results || mayRetry({ kind }, results));

function UndoAgain({ action }: { action: Action }) {
  const { retry } = useActionRequests();
  return (
    <Button size="row" look="accent" sends onClick={() => void retry(action.id, action)}>
      {t.shell.kit.retry}
    </Button>
  );
}

/** Whether its items are devices of the user that are still there. */
function showsDevices({ kind, about, undone_by }: Action): boolean {
  const isUndone = kind === 'undo' || undone_by !== null;
  const of = kind === 'undo' ? about.kind : kind;
  return of === 'update' || of === 'edit' || of === 'add_member' || of === (isUndone ? 'delete' : 'import');
}

/** Their own page shows the result until the user dismisses it there. */
const hasOwnPage: readonly ActionKind[] = ['import', 'invite', 'join'];

/** The count says how many there are. */
const mostListed = 100;

function ActionDetails({ action }: { action: Action }) {
  const { id, kind, total, failed } = action;
  const { retry, dismiss } = useActionRequests();
  const say = t.activity.actions;
  const query = useQuery(total > actionLimits.itemsShown ? failedItems(id) : actionResultsQuery(id));
  const isSeen = query.data !== undefined && failed > 0;
  const isNoticed = useActions().some((each) => each.id === id && each.state === 'ended' && !hasOwnPage.includes(kind));
  useEffect(() => {
    if (isSeen && isNoticed) void dismiss(id);
  }, [isSeen, isNoticed, dismiss, id]);
  const rows = query.data?.toSorted((a, b) => Number(b.result !== null) - Number(a.result !== null)) ?? [];
  return (
    <div className="stack action-details">
      <p className="line gap-3 wraps">
        {showsDevices(action) && <Link to={{ pathname: '/', search: `action=${id}` }}>{say.show_devices}</Link>}
        {failed > 0 && (
          <>
            {action.retried_by === undefined &&
              !canUndoAgain(action) &&
              query.data &&
              mayRetry(action, resultsOf(query.data)) && (
                <Button size="small" sends onClick={() => void retry(id, action)}>
                  {say.retry}
                </Button>
              )}
            <Button
              look="accent"
              size="small"
              onClick={() =>
                void downloadCsv({
                  name: 'results.csv',
                  path: pathTo('/api/actions/:id/results', { id }, 'failed=true&format=csv'),
                })
              }
            >
              {hasOnlyKept(action) ? say.save_kept : say.save_failed}
            </Button>
          </>
        )}
      </p>
      {query.isPending && <SkeletonRows count={2} badge={false} label={t.account.loading} />}
      {query.isError && <LoadFailedNote title={say.items_error} query={query} />}
      <ul>
        {rows.slice(0, mostListed).map(({ item, result }) => (
          <li key={'line' in item ? item.line : item.id}>
            {'line' in item && <span className="quiet numbers">{t.import.check.line(formatNumber(item.line))} </span>}
            <Bdi>{nameOfItem(item)}</Bdi>
            {result && <span className={isKept(result) ? 'quiet' : 'bad'}> · {resultSentence(kind, result)}</span>}
          </li>
        ))}
        {rows.length > mostListed && <li>{t.bulk.more(formatNumber(rows.length - mostListed))}</li>}
      </ul>
    </div>
  );
}
