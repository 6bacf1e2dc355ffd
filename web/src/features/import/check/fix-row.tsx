import { useState } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { LineField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Note } from '../../../ui/notice.tsx';
import type { InvalidRow } from '../rows/dry-run.ts';
import type { Uses } from '../rows/column-uses.ts';
import type { ImportError, RowResult } from '../rows/check-row.ts';
import { plainErrors } from './row-error-text.tsx';

/** The cells of one row as text fields, for manual correction. */
export function FixRow({
  row,
  names,
  uses,
  fixed,
  checkFields,
  onClose,
  onFixed,
}: {
  row: InvalidRow;
  names: readonly string[];
  uses: Uses;
  /** The import runs, so the row is read-only. */
  fixed: boolean;
  checkFields(line: number, fields: readonly string[]): RowResult;
  onClose(): void;
  onFixed(fix: { line: number; fields: readonly string[]; result: RowResult }): void;
}) {
  const count = Math.max(uses.length, row.fields.length);
  const [cells, setCells] = useState(() =>
    Array.from({ length: count }, (_, index) => ({ index, value: row.fields[index] ?? '' })),
  );
  const [errors, setErrors] = useState(row.errors);
  const submit = () => {
    const fields = withoutEmptyEnd(cells, uses.length);
    const { line } = row;
    const result = checkFields(line, fields);
    if (result.kind === 'invalid') setErrors(result.errors);
    else onFixed({ line, fields, result });
  };
  const broken = errors.filter(({ column }) => column === 'row');
  return (
    <FormDialog
      size="medium"
      title={fixed ? t.import.fixing.shown(formatNumber(row.line)) : t.import.fixing.title(formatNumber(row.line))}
      description={fixed ? t.import.fixing.shown_text : t.import.fixing.text}
      submit={fixed ? undefined : t.import.fixing.save}
      cancel={fixed ? t.import.fixing.close : t.import.fixing.cancel}
      sends={false}
      errors={errors}
      className="fix-row"
      onSubmit={submit}
      onClose={onClose}
    >
      {broken.length > 0 && (
        <Note tone="warn" icon="warning">
          {plainErrors(broken)}
        </Note>
      )}
      {cells.map(({ index, value }) => {
        const beyond = index >= uses.length;
        const use = uses[index];
        if (!beyond && use === undefined && value === '') return null;
        return (
          <LineField
            key={index}
            label={names[index]?.trim() || t.import.fixing.field(formatNumber(index + 1))}
            readOnly={fixed}
            value={value}
            error={beyond ? (value === '' ? undefined : t.import.fixing.beyond) : errorOf(errors, use)}
            onChange={(event) => {
              const next = event.currentTarget.value;
              setCells((now) => now.map((cell) => (cell.index === index ? { index, value: next } : cell)));
            }}
          />
        );
      })}
    </FormDialog>
  );
}

function errorOf(errors: readonly ImportError[], use: Uses[number]): string | undefined {
  const mine = errors.filter(({ column }) => column === use);
  return mine.length > 0 ? plainErrors(mine) : undefined;
}

function withoutEmptyEnd(cells: readonly { value: string }[], atLeast: number): string[] {
  const fields = cells.map(({ value }) => value);
  const last = fields.findLastIndex((field) => field.trim() !== '');
  return fields.slice(0, Math.max(atLeast, last + 1));
}
