import { joinList } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/notice.tsx';
import { useImportCheck, useLeaveOut } from '../use-import-check.ts';
import { useImportSource } from '../use-import-source.ts';
import { rowLabels } from './row-labels.ts';

const mostNamed = 10;

/** Rows that are identical to another one, and whether they are imported. `lines`: those that are. */
export function RepeatedRows({ lines }: { lines: readonly number[] }) {
  const { source, hasStarted } = useImportSource();
  const { omitted } = useImportCheck();
  const { leaveRepeated } = useLeaveOut();
  const { repeated_note, left_repeated, leave_out, include, more_rows } = t.import.check;
  if (lines.length === 0 && omitted.length === 0) return null;
  const isLeft = omitted.length > 0;
  const named = lines.slice(0, mostNamed).map((line) => {
    const { say, number } = rowLabels({ file: source?.chosen.name, line });
    return say.name(number);
  });
  const rest = lines.length - named.length;
  const all = joinList(rest > 0 ? [...named, more_rows(formatNumber(rest))] : named);
  return (
    <div className="box-part muted check-note">
      {isLeft ? (
        <p>{left_repeated(omitted.length)}</p>
      ) : (
        <Note tone="warn" icon="warning">
          {repeated_note(lines.length).replace('{lines}', () => all)}
        </Note>
      )}
      {!hasStarted && (
        <Button size="small" onClick={() => leaveRepeated(!isLeft)}>
          {isLeft ? include : leave_out}
        </Button>
      )}
    </div>
  );
}
