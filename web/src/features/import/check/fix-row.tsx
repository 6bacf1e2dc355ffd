import { useState } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { LineField } from '../../../ui/fields/field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import type { InvalidRow } from '../rows/dry-run.ts';
import type { Uses } from '../rows/column-uses.ts';
import type { ImportError } from '../rows/check-row.ts';
import { useImport } from '../import-state.ts';
import { useImportColumns } from '../use-import-columns.ts';
import { rowLabels } from './row-labels.ts';
import { plainErrors } from './row-error-text.tsx';

/** The cells of one row as text fields, for manual correction. */
export function FixRow({ row, onClose }: { row: InvalidRow; onClose(): void }) {
  const { source, hasStarted } = useImport('source');
  const { uses } = useImportColumns();
  const { fix } = useImport('check');
  const { say, number } = rowLabels({ file: source?.chosen.name, line: row.line });
  const count = Math.max(uses.length, row.fields.length);
  const [cells, setCells] = useState(() =>
    Array.from({ length: count }, (_, index) => ({ index, value: row.fields[index] ?? '' })),
  );
  const [errors, setErrors] = useState(row.errors);
  const submit = () => {
    const left = fix(row.line, withoutEmptyEnd(cells, uses.length));
    if (left.length > 0) setErrors(left);
    else onClose();
  };
  const broken = errors.filter(({ column }) => column === 'row');
  return (
    <FormDialog
      size="medium"
      title={(hasStarted ? say.show : say.fix)(number)}
      description={hasStarted ? t.import.fixing.shown_text : t.import.fixing.text}
      submit={hasStarted ? undefined : t.import.fixing.save}
      cancel={hasStarted ? t.shell.kit.close : undefined}
      sends={false}
      errors={errors}
      className="stack"
      onSubmit={submit}
      onClose={onClose}
    >
      {broken.length > 0 && (
        <Note tone="warn" icon="warning">
          {plainErrors(broken)}
        </Note>
      )}
      {row.text !== undefined && (
        <p className="lines quiet">
          <Rich text={t.import.fixing.in_file} line={<Bdi>{row.text}</Bdi>} />
        </p>
      )}
      {cells.map(({ index, value }) => {
        const beyond = index >= uses.length;
        const use = uses[index];
        if (!beyond && use === undefined && value === '') return null;
        return (
          <LineField
            key={index}
            label={
              source?.chosen.head.names[index]?.trim() ||
              (beyond ? t.import.fixing.field : t.import.columns.nameless)(formatNumber(index + 1))
            }
            readOnly={hasStarted}
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
