import { useState } from 'react';
import { formatNumber, formatDateTime, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { QuotaNote, roomIn, type Quota } from '../../../ui/fields/quota-note.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { FileButton } from '../choose-file.tsx';
import { rowsOf, type DryRun } from '../rows/dry-run.ts';
import { useImport } from '../import-state.ts';
import './job-box.css';

/** The start button with a sentence about what it will do. `quota` is the user's quota of devices. */
export function StartBox({ quota }: { quota: Quota }) {
  const { error } = useImport('check');
  const { check, left } = useImport('rows');
  const { past, choose } = useImport('job');
  const { isStarting, start } = useImport('starting');
  const rows = check ? rowsOf(check) : 0;
  const isSame = check !== null && check.same > 0 && rows + check.invalid + left.newer === 0;
  const fitting = check && { ...check, fresh: Math.min(check.fresh, roomIn(quota)) };
  const deletes = check?.deletes;
  const hasDeletes = deletes !== undefined && Object.values(deletes).some((lines) => lines.length > 0);
  const [isAsking, setAsking] = useState(false);
  return (
    <Box title={t.import.start.title}>
      {isAsking && deletes && (
        <DeleteRecords
          deletes={deletes}
          onConfirm={() => {
            setAsking(false);
            void start();
          }}
          onClose={() => setAsking(false)}
        />
      )}
      <div className="stack gap-3 job">
        {past && check?.fresh !== 0 && (
          <Note tone="warn" icon="warning">
            <Rich
              text={t.import.file.before}
              date={formatDateTime(past.created_at)}
              devices={t.import.file.devices(past.done - past.failed)}
            />
          </Note>
        )}
        {error && (
          <div role="alert">
            <Note tone="bad" icon="warning">
              {t.import.file.errors[error]}
            </Note>
          </div>
        )}
        {check && (
          <QuotaNote
            quota={quota}
            adding={check.fresh}
            text={({ allowed, room, adding }) =>
              t.import.start.quota(formatNumber(allowed), formatNumber(room), formatNumber(adding))
            }
          />
        )}
        {fitting && <p>{isSame ? t.import.start.nothing_new : sentenceOf(fitting)}</p>}
        <div className="line wraps even-buttons">
          <Button
            look="primary"
            sends
            busy={isStarting}
            disabled={!fitting || rowsOf(fitting) === 0}
            onClick={() => (hasDeletes ? setAsking(true) : void start())}
          >
            {t.import.start.start(rows, (check?.changes.length ?? 0) > 0)}
          </Button>
          <FileButton label={t.import.file.another} onFile={(file) => void choose(file)} />
        </div>
      </div>
    </Box>
  );
}

interface DeleteRecordsProps {
  deletes: DryRun['deletes'];
  onConfirm(): void;
  onClose(): void;
}

/** Asks before an import deletes what was recorded of devices. */
function DeleteRecords({ deletes: { keep_track, keep_values }, onConfirm, onClose }: DeleteRecordsProps) {
  const say = t.import.records;
  return (
    <ConfirmDialog
      title={t.device.records.title}
      description={say.text}
      confirm={say.start}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="stack gap-2">
        {keep_track.length > 0 && <li>{say.tracks(keep_track.length)}</li>}
        {keep_values.length > 0 && <li>{say.values(keep_values.length)}</li>}
      </ul>
    </ConfirmDialog>
  );
}

function sentenceOf({ fresh, changes, invalid }: DryRun): string {
  const said = [
    fresh > 0 && t.import.start.text(fresh),
    changes.length > 0 && t.import.start.changed(changes.length),
    fresh + changes.length === 0 && t.import.start.nothing,
    fresh + changes.length > 0 && invalid > 0 && t.import.start.left(invalid),
  ];
  return said.filter(Boolean).join(' ');
}
