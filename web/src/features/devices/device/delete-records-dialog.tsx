import { DeletedRecords } from '../../../shared/deleted-records.tsx';
import { t } from '../../../text/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useDeviceSaving } from './use-device-saving.ts';
import { useRecordsQuestion } from './use-records-question.ts';
import { useShownDevice } from './use-shown-device.ts';

/** Asks before a save deletes what was recorded. */
export function DeleteRecordsDialog() {
  const { resource } = useShownDevice();
  const { deletes, isAsking, setAsking } = useRecordsQuestion();
  const { saveNow } = useDeviceSaving();
  if (!isAsking) return null;
  const say = t.device.records;
  return (
    <ConfirmDialog
      title={say.title}
      description={say.text}
      confirm={say.save}
      onConfirm={() => void saveNow()}
      onClose={() => setAsking(false)}
    >
      <DeletedRecords resource_id={resource.id} fields={deletes} />
    </ConfirmDialog>
  );
}
