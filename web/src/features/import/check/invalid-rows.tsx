import { useMemo } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { atTextSize } from '../../../ui/media.ts';
import { listRows } from '../../../ui/list-rows.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import type { InvalidRow } from '../rows/dry-run.ts';
import { rowLabels } from './row-labels.ts';
import { RowErrorText } from './row-error-text.tsx';
import type { ImportFile } from './use-import-file.ts';

interface InvalidRowsProps {
  rows: readonly InvalidRow[];
  source: ImportFile;
  phone: boolean;
  onFix(row: InvalidRow): void;
}

/** The rows that cannot be imported, with their lines and reasons. Only visible rows are rendered. */
export function InvalidRows({ rows, source, phone, onFix }: InvalidRowsProps) {
  const lines = useMemo(() => listRows(rows.map(({ line }) => ({ id: String(line) }))), [rows]);
  const renderRow = (index: number, tabIndex: 0 | -1) => {
    const row = rows[index];
    if (!row) return null;
    const { say, number } = rowLabels({ file: source.chosen?.name, line: row.line });
    return (
      <div className="line gap-3 invalid-row">
        <span className="invalid-line quiet numbers">{say.name(number)}</span>
        <span className="fill lines invalid-why">
          {row.name.trim() !== '' && (
            <>
              <bdi className="strong one-line invalid-name">{row.name}</bdi> ·{' '}
            </>
          )}
          {row.errors.map((error, index) => (
            <span key={`${error.column} ${error.code}`}>
              {index > 0 && ' · '}
              <RowErrorText error={error} />
            </span>
          ))}
        </span>
        <Button
          look="accent"
          size="row"
          tabIndex={tabIndex}
          data-row={row.line}
          aria-label={(source.hasStarted ? say.show : say.fix)(number)}
          onClick={() => onFix(row)}
        >
          {source.hasStarted ? t.import.check.show : t.import.check.fix}
        </Button>
      </div>
    );
  };
  return (
    <VirtualList
      className="invalid-rows"
      sections={[{ label: t.import.check.errors, rows: lines, rowHeight: atTextSize(phone ? 96 : 56), renderRow }]}
    />
  );
}
