import { useQuery } from '@tanstack/react-query';
import type { Action, ActionResult, ActionResults } from '@swarmdeck/bff/contract';
import { failedItems, useActionRequests } from '../../data/actions/actions.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { labelsOf, nameOfItem, resultSentence } from './action-labels.tsx';
import './failed-items.css';

/** The count says how many there are. */
const mostShown = 100;

interface FailedItemsProps {
  action: Action;
  /** `isSeen`: the items were shown, and no other action follows with them. */
  onClose(isSeen: boolean): void;
}

/** What fails in the same way whenever it is tried again. A device, in contrast, may join a swarm that it was not in. */
const finalCodes: readonly string[] = [
  'invitation.already_answered',
  'invitation.ended',
  'invitation.not_found',
  'join_request.already_answered',
  'join_request.ended',
  'link.not_found',
  'membership.exists',
  'resource.not_found',
];

/**
 * Whether another attempt may succeed with one of the failed items: an undo may, because what it needs can come back by another undo. It
 * has nothing more to do where it has put back what it could.
 */
export const mayRetry = ({ kind }: Pick<Action, 'kind'>, results: readonly ActionResult[]) =>
  results.some(
    (result) =>
      result && (kind === 'undo' ? result.code !== 'action.partly_undone' : !finalCodes.includes(result.code)),
  );

export const resultsOf = (items: ActionResults['results']) => items.map(({ result = null }) => result);

/** The items that an action could not change, each with the reason. */
export function FailedItems({ action, onClose }: FailedItemsProps) {
  const { retry } = useActionRequests();
  const query = useQuery(failedItems(action.id));
  const failed = query.data?.length ?? 0;
  const close = () => onClose(query.data !== undefined);
  return (
    <Dialog
      title={labelsOf(action).failedLabel(action)}
      onClose={close}
      footer={
        <>
          {query.data && mayRetry(action, resultsOf(query.data)) && (
            <Button
              look="primary"
              sends
              onClick={() => {
                onClose(false);
                void retry(action.id);
              }}
            >
              {t.shell.kit.retry}
            </Button>
          )}
          <Button data-autofocus onClick={close}>
            {t.shell.kit.close}
          </Button>
        </>
      }
    >
      {query.isPending && <SkeletonRows count={3} badge={false} label={t.swarms.loading} />}
      {query.error && <LoadFailed level={3} title={t.bulk.not_read} query={query} />}
      <ul className="stack failed-items">
        {query.data?.slice(0, mostShown).map(({ item, result }) => (
          <li key={'line' in item ? item.line : item.id}>
            <b>
              <Bdi>{nameOfItem(item)}</Bdi>
            </b>
            <span className="muted">{resultSentence(action.kind, result)}</span>
          </li>
        ))}
        {failed > mostShown && <li>{t.bulk.more(formatNumber(failed - mostShown))}</li>}
      </ul>
    </Dialog>
  );
}
