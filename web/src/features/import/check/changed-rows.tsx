import { useMemo } from 'react';
import { formatDateTimeSeconds, formatPosition } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { listRows } from '../../../ui/lists/list-rows.ts';
import { VirtualList } from '../../../ui/lists/virtual-list.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import type { FieldChange, Fix } from '../rows/check-row.ts';
import type { DryRun } from '../rows/dry-run.ts';
import { textOfField } from '../../../shared/device-field-texts.ts';
import { useImport } from '../import-state.ts';
import { rowLabels } from './row-labels.ts';

/** The rows that change devices, with the old and the new values. Only visible rows are rendered. `rowHeight`: in px. */
export function ChangedRows({ run, rowHeight }: { run: DryRun; rowHeight: number }) {
  const { source, hasStarted } = useImport('source');
  const { left, leaveNewer } = useImport('rows');
  const { changed, changes, newer } = run;
  const lines = useMemo(() => listRows(changed.map(({ line }) => ({ id: String(line) }))), [changed]);
  const renderRow = (index: number) => {
    const row = changed[index];
    if (!row) return null;
    const { say, number } = rowLabels({ file: source?.chosen.name, line: row.line });
    return (
      <div className="line gap-3 invalid-row changed-row">
        <span className="invalid-line quiet numbers">{say.name(number)}</span>
        <span className="fill lines invalid-why">
          <Bdi className="strong">{row.name}</Bdi>
          {row.isNewer && <span className="warn"> · {t.import.check.newer}</span>}
          {row.changes.map((change) => (
            <span key={change.field}>
              {' · '}
              <b className="strong">{t.device.form[change.field]}</b> <Value change={change} side="before" />{' '}
              <span className="changed-arrow" aria-hidden="true">
                →
              </span>{' '}
              <Value change={change} side="after" />
            </span>
          ))}
        </span>
      </div>
    );
  };
  return (
    <>
      {newer.length > 0 && (
        <div className="box-part muted check-note">
          <Note tone="warn" icon="warning">
            {t.import.check.newer_note(newer.length)}
          </Note>
          {!hasStarted && (
            <Button size="small" onClick={() => leaveNewer(true)}>
              {t.import.check.leave_out}
            </Button>
          )}
        </div>
      )}
      {left.newer > 0 && (
        <div className="box-part muted check-note">
          <p>{t.import.check.left_newer(left.newer)}</p>
          {!hasStarted && (
            <Button size="small" onClick={() => leaveNewer(false)}>
              {t.import.check.include}
            </Button>
          )}
        </div>
      )}
      {changed.length > 0 && (
        <VirtualList
          className="invalid-rows"
          sections={[{ label: t.import.check.changes, rows: lines, rowHeight, renderRow }]}
        />
      )}
      {changes.length > changed.length && (
        <p className="box-part muted check-note quiet">{t.import.check.changed_more(formatNumber(changed.length))}</p>
      )}
    </>
  );
}

function Value({ change, side }: { change: FieldChange; side: 'before' | 'after' }) {
  const text = textOf(change, side);
  const Tag = side === 'before' ? 'del' : 'ins';
  return <Tag>{text === '' ? <i className="quiet">{t.import.check.nothing}</i> : <Bdi>{text}</Bdi>}</Tag>;
}

/** @internal */
export function textOf(change: FieldChange, side: 'before' | 'after'): string {
  if (change.field === 'position') return fixText(change[side]);
  return textOfField(change.field, change[side]);
}

/** A position, and what was reported about it. */
function fixText(fix: Fix | undefined): string {
  if (!fix) return '';
  const { positioned_at, accuracy } = fix;
  const { reported } = t.device;
  const parts = [
    formatPosition(fix),
    ...(positioned_at === undefined ? [] : [formatDateTimeSeconds(positioned_at)]),
    ...(accuracy === undefined ? [] : [reported.accuracy(reported.metres(formatNumber(accuracy)))]),
  ];
  return parts.join(' · ');
}
