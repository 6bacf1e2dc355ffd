import { formatDateTime, formatNumber } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/notice.tsx';
import { QuotaNote, roomIn } from '../../../ui/quota-note.tsx';
import type { Quota } from '../../../ui/quota-note.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { FileButton } from '../choose-file.tsx';
import { words } from '../import-words.ts';
import { rowsOf } from '../rows/dry-run.ts';
import type { DryRun } from '../rows/dry-run.ts';
import type { Import } from '../use-import.ts';
import './job-box.css';

const text = words.start;

/** A sentence that says what the button will do. `quota`: of devices. */
export function StartBox({ page, quota }: { page: Import; quota: Quota }) {
  const { source, past } = page;
  const { check } = source;
  const rows = check ? rowsOf(check) : 0;
  const fitting = check && { ...check, fresh: Math.min(check.fresh, roomIn(quota)) };
  return (
    <Box title={text.title}>
      <div className="job">
        {past && (
          <Note tone="warn" icon="warning">
            <Rich
              text={words.file.before}
              date={formatDateTime(past.at)}
              devices={words.file.devices(past.made, formatNumber(past.made))}
            />
          </Note>
        )}
        {source.fault && (
          <Note tone="bad" icon="warning">
            {words.file.faults[source.fault]}
          </Note>
        )}
        {check && (
          <QuotaNote
            quota={quota}
            adding={check.fresh}
            text={({ allowed, room, adding }) =>
              text.quota(formatNumber(allowed), formatNumber(room), formatNumber(adding))
            }
          />
        )}
        {fitting && <p>{sentenceOf(fitting)}</p>}
        <div className="job-acts">
          <Button look="primary" disabled={!fitting || rowsOf(fitting) === 0} onClick={() => void page.start()}>
            {text.start(rows, formatNumber(rows), (check?.changes.length ?? 0) > 0)}
          </Button>
          <FileButton label={words.file.another} onFile={(file) => void page.choose(file)} />
        </div>
      </div>
    </Box>
  );
}

function sentenceOf({ fresh, changes, refused }: DryRun): string {
  const said = [
    fresh > 0 && text.text(fresh, formatNumber(fresh)),
    changes.length > 0 && text.changed(changes.length, formatNumber(changes.length)),
    fresh + changes.length === 0 && text.nothing,
    fresh + changes.length > 0 && refused > 0 && text.left(refused, formatNumber(refused)),
  ];
  return said.filter(Boolean).join(' ');
}
