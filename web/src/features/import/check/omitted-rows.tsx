import { useMemo, type ReactNode } from 'react';
import { joinList } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import type { NamedRow } from '../rows/dry-run.ts';
import { useImport } from '../import-state.ts';
import { rowLabels } from './row-labels.ts';

const mostNamed = 10;

/** Rows that are identical to another one, and whether they are imported. `lines`: those that are. */
export function RepeatedRows({ lines }: { lines: readonly number[] }) {
  const { source } = useImport('source');
  const { left, leaveRepeated } = useImport('rows');
  const { repeated_note, left_repeated } = t.import.check;
  const named = lines.slice(0, mostNamed).map((line) => {
    const { say, number } = rowLabels({ file: source?.chosen.name, line });
    return say.name(number);
  });
  return (
    <OmittedRows
      count={lines.length}
      left={left.repeated}
      note={repeated_note(lines.length).replace('{lines}', () => joinList(withRest(named, lines.length)))}
      leftNote={left_repeated}
      onLeave={leaveRepeated}
    />
  );
}

/** Rows of new devices with the names of devices that the user has, and whether they are imported. `rows`: those that are. */
export function KnownRows({ rows }: { rows: readonly NamedRow[] }) {
  const { left, leaveKnown } = useImport('rows');
  const { known_note, left_known } = t.import.check;
  return (
    <OmittedRows
      count={rows.length}
      left={left.known}
      note={<Rich text={known_note(rows.length)} names={<NamesOf rows={rows} />} />}
      leftNote={left_known}
      onLeave={leaveKnown}
    />
  );
}

/** The names of these rows, each once. */
export function NamesOf({ rows }: { rows: readonly NamedRow[] }) {
  const names = useMemo(() => [...new Set(rows.map(({ name }) => name.trim()))], [rows]);
  return <Bdi>{joinList(withRest(names.slice(0, mostNamed), names.length))}</Bdi>;
}

/** The names, and how many more there are. */
function withRest(named: readonly string[], count: number): string[] {
  return count > named.length ? [...named, t.import.check.more_rows(formatNumber(count - named.length))] : [...named];
}

interface OmittedRowsProps {
  /** How many such rows are imported. */
  count: number;
  /** How many are left out. */
  left: number;
  note: ReactNode;
  leftNote(count: number): string;
  onLeave(leaves: boolean): void;
}

/** A warning about rows that may be duplicates, with the choice to leave them out. */
function OmittedRows({ count, left, note, leftNote, onLeave }: OmittedRowsProps) {
  const { hasStarted } = useImport('source');
  if (count + left === 0) return null;
  const isLeft = left > 0;
  return (
    <div className="box-part muted check-note">
      {isLeft ? (
        <p>{leftNote(left)}</p>
      ) : (
        <Note tone="warn" icon="warning">
          {note}
        </Note>
      )}
      {!hasStarted && (
        <Button size="small" onClick={() => onLeave(!isLeft)}>
          {isLeft ? t.import.check.include : t.import.check.leave_out}
        </Button>
      )}
    </div>
  );
}
