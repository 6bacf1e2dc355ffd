import { formatPosition } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import type { DryRun, NamedRow } from '../rows/dry-run.ts';
import { useImport } from '../import-state.ts';
import { NamesOf } from './omitted-rows.tsx';
import { rowLabels } from './row-labels.ts';

const mostShown = 5;

/** The first new devices, and those whose position may be wrong. */
export function NewRows({ run: { fresh, previewed, unplaced, atZero } }: { run: DryRun }) {
  const { source } = useImport('source');
  const shown = previewed.slice(0, mostShown);
  const more = fresh - shown.length;
  if (shown.length === 0) return null;
  return (
    <>
      <Doubt rows={unplaced} note={t.import.check.unplaced_note} />
      <Doubt rows={atZero} note={t.import.check.at_zero_note} />
      <ul className="stack box-part new-rows" aria-label={t.import.check.new_devices}>
        {shown.map(({ line, name, position }) => {
          const { say, number } = rowLabels({ file: source?.chosen.name, line });
          return (
            <li key={line} className="line gap-3">
              <span className="invalid-line quiet numbers">{say.name(number)}</span>
              <Bdi className="fill strong one-line">{name}</Bdi>
              <span className="quiet numbers new-position">
                {position ? formatPosition(position) : t.import.check.unplaced}
              </span>
            </li>
          );
        })}
        {more > 0 && <li className="quiet numbers">{t.import.check.more_rows(formatNumber(more))}</li>}
      </ul>
    </>
  );
}

function Doubt({ rows, note }: { rows: readonly NamedRow[]; note(count: number): string }) {
  if (rows.length === 0) return null;
  return (
    <div className="box-part muted check-note">
      <Note tone="warn" icon="warning">
        <Rich text={note(rows.length)} names={<NamesOf rows={rows} />} />
      </Note>
    </div>
  );
}
