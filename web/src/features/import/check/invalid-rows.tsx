import { useMemo } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { listRows } from '../../../ui/lists/list-rows.ts';
import { VirtualList } from '../../../ui/lists/virtual-list.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import type { InvalidRow } from '../rows/dry-run.ts';
import { useImport } from '../import-state.ts';
import { rowLabels } from './row-labels.ts';
import { RowErrorText } from './row-error-text.tsx';

interface InvalidRowsProps {
  rows: readonly InvalidRow[];
  /** In px. */
  rowHeight: number;
}

/** The rows that cannot be imported, with their lines and reasons. Only visible rows are rendered. */
export function InvalidRows({ rows, rowHeight }: InvalidRowsProps) {
  const { source, hasStarted } = useImport('source');
  const { open } = useImport('fixing');
  const lines = useMemo(() => listRows(rows.map(({ line }) => ({ id: String(line) }))), [rows]);
  const renderRow = (index: number, tabIndex: 0 | -1) => {
    const row = rows[index];
    if (!row) return null;
    const { say, number } = rowLabels({ file: source?.chosen.name, line: row.line });
    return (
      <div className="line gap-3 invalid-row">
        <span className="invalid-line quiet numbers">{say.name(number)}</span>
        <span className="fill lines invalid-why">
          {row.name.trim() !== '' && (
            <>
              <Bdi className="strong one-line invalid-name">{row.name}</Bdi> ·{' '}
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
          aria-label={(hasStarted ? say.show : say.fix)(number)}
          onClick={() => open(row)}
        >
          {hasStarted ? t.import.check.show : t.import.check.fix}
        </Button>
      </div>
    );
  };
  return (
    <VirtualList
      className="invalid-rows"
      sections={[{ label: t.import.check.errors, rows: lines, rowHeight, renderRow }]}
    />
  );
}
