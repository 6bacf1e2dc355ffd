import { separators } from '@swarmdeck/bff/csv-parser';
import { deviceColumns } from '@swarmdeck/bff/device-errors';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Select } from '../../../ui/select.tsx';
import type { CsvHead } from '../rows/csv-file.ts';
import type { Use } from '../rows/column-uses.ts';
import '../../../ui/table.css';
import './columns-box.css';
import { labelOf } from './row-error-text.tsx';
import type { ImportFile } from './use-import-file.ts';

const all: readonly Use[] = [...deviceColumns, 'id', 'changed_at', 'skip'];

interface ColumnsBoxProps {
  head: CsvHead;
  /** The table of another format has no separator to choose. */
  isCsv: boolean;
  source: ImportFile;
  phone: boolean;
}

/** The columns of the file, each with its first value and its use. */
export function ColumnsBox({ head, isCsv, source, phone }: ColumnsBoxProps) {
  const { uses, use: onUse, hasStarted, foreignIds } = source;
  const say = t.import.file.separators;
  const options = all.map((value) => ({ value, label: labelOf(value), quiet: value === 'skip' }));
  const shown = uses.flatMap((use, index) => (use === undefined ? [] : [{ use, index }]));
  const used = shown.filter(({ use }) => use !== 'skip').length;
  return (
    <Box
      title={t.import.columns.title}
      action={
        <span className="quiet numbers">{t.import.columns.used(formatNumber(used), formatNumber(shown.length))}</span>
      }
    >
      {isCsv && (
        <label className="line gap-2 box-part columns-separator">
          <span className="quiet">{t.import.columns.separator}</span>
          <Select
            value={head.separator}
            options={separators.map((value) => ({ value, label: say[value] }))}
            disabled={hasStarted}
            onChange={source.separate}
          />
        </label>
      )}
      {foreignIds !== null && uses[foreignIds] === 'skip' && (
        <p className="box-part muted">
          <Rich text={t.import.columns.foreign_ids} column={<bdi>{head.names[foreignIds]?.trim()}</bdi>} />
        </p>
      )}
      <table className="table columns-table">
        <colgroup>
          <col />
          <col />
          {!phone && <col />}
        </colgroup>
        <thead className={phone ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col">{t.import.columns.column}</th>
            <th scope="col">{t.import.columns.goes_to}</th>
            {!phone && <th scope="col">{t.import.columns.first}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ use, index }) => {
            const name = head.names[index]?.trim() || t.import.columns.nameless(formatNumber(index + 1));
            const first = <bdi>{head.first[index] ?? ''}</bdi>;
            return (
              <tr key={index}>
                <th scope="row">
                  <code className="columns-name" title={name}>
                    <bdi>{name}</bdi>
                  </code>
                  {phone && <span className="muted">{first}</span>}
                </th>
                <td>
                  <Select
                    aria-label={t.import.columns.goes_to_of(name)}
                    value={use}
                    options={options}
                    disabled={hasStarted}
                    onChange={(next) => onUse(index, next)}
                  />
                </td>
                {!phone && <td className="muted">{first}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Box>
  );
}
