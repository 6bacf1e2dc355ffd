import { useQuery } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { isPostponed } from '../../../data/actions/shown-actions.ts';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { RefusedNotes } from '../../../shared/refused-notes.tsx';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { UnsentNote } from './unsent-values.tsx';
import { useDevice } from './device-state.ts';

const HandoverNote = lazyPart(async () => (await import('./hand-over.tsx')).HandoverNote);

const refusalsOf = (device: Device | null) => device?.refusals;

/** What the user has to know first: it was deleted, or belongs to another user, or something was refused to it. */
export function DeviceNotes() {
  const { resource, isOwn, swarms, going } = useDevice('shown');
  const { isGone, end, isTaken, isCreating, replace } = useDevice('again');
  const refusals = useQuery({ ...deviceQuery(resource.id), enabled: isOwn, select: refusalsOf }).data;
  const { page } = t.device;
  return (
    <>
      {isGone && (
        <Note tone="warn" icon={isTaken ? 'user' : 'trash'}>
          <span>
            {end ? (
              <Rich
                text={isTaken ? page.taken_over : page.deleted}
                user={<Bdi>{end.actor}</Bdi>}
                time={<Time at={end.at} />}
              />
            ) : (
              page.deleted_or_taken
            )}{' '}
            {page.as_it_was}
          </span>
          {replace && (
            <Button size="row" sends busy={isCreating} onClick={() => void replace()}>
              {page.create_again}
            </Button>
          )}
        </Note>
      )}
      {going && (
        <Note tone="warn" icon="trash">
          {isPostponed(going.action) ? page.deletion_postponed : page.deleting}{' '}
          <UndoButton pending={going} look="plain" />
        </Note>
      )}
      {!isOwn && (
        <Note icon="eye">
          <Rich text={page.read_only} owner={<Bdi>{resource.user_id}</Bdi>} />
        </Note>
      )}
      {(isGone || !isOwn) && <UnsentNote />}
      {isOwn && !isGone && <HandoverNote resource_id={resource.id} />}
      {isOwn && <RefusedNotes refusals={refusals} device={resource} swarms={swarms} />}
    </>
  );
}
