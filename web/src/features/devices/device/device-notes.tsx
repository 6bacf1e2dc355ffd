import { useQuery } from '@tanstack/react-query';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { RefusedNotes } from './refused-notes.tsx';
import { useCreateAgain } from './use-create-again.ts';
import { useShownDevice } from './use-shown-device.ts';

const HandoverNote = lazyPart(async () => (await import('./hand-over.tsx')).HandoverNote);

/** What the user has to know first: it was deleted, or belongs to another user, or something was refused to it. */
export function DeviceNotes() {
  const { resource, isOwn, isDestroyedElsewhere, swarms, going } = useShownDevice();
  const { isDeleted, isCreating, replace } = useCreateAgain();
  const { refusals } = useQuery({ ...deviceQuery(resource.id), enabled: isOwn }).data ?? {};
  const { page } = t.device;
  return (
    <>
      {isDeleted && (
        <Note tone="warn" icon="trash">
          {page.deleted_elsewhere}{' '}
          <Button size="row" sends busy={isCreating} onClick={() => void replace()}>
            {page.create_again}
          </Button>
        </Note>
      )}
      {isDestroyedElsewhere && !isOwn && (
        <Note tone="bad" icon="warning">
          {page.not_found_text}
        </Note>
      )}
      {going && (
        <Note tone="warn" icon="trash">
          {page.deleting} <UndoButton pending={going} look="plain" />
        </Note>
      )}
      {!isOwn && (
        <Note icon="eye">
          <Rich text={page.read_only} owner={<Bdi>{resource.user_id}</Bdi>} />
        </Note>
      )}
      {isOwn && !isDeleted && <HandoverNote resource_id={resource.id} />}
      {isOwn && <RefusedNotes refusals={refusals} id={resource.id} swarms={swarms} />}
    </>
  );
}
