import { importColumns } from '@swarmdeck/bff/device-errors';
import { formatNumber, t } from '../../../text/text.ts';
import { Select } from '../../../ui/fields/select.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import type { Use } from '../rows/column-uses.ts';
import { useImportColumns } from '../use-import-columns.ts';
import { useImport } from '../import-state.ts';
import '../../../ui/lists/table.css';
import './columns-box.css';
import { labelOf } from './row-error-text.tsx';

const all: readonly Use[] = [...importColumns, 'id', 'changed_at', 'skip'];

interface Column {
  index: number;
  name: string;
  /** Its first value. */
  first: string;
  use: Use;
}

/** The columns of the file that have a name or a value. */
function useColumns(): Column[] {
  const { source } = useImport('source');
  const { uses } = useImportColumns();
  const { names = [], first = [] } = source?.chosen.head ?? {};
  return uses.flatMap((use, index) => {
    if (use === undefined) return [];
    const name = names[index]?.trim() || t.import.columns.nameless(formatNumber(index + 1));
    return [{ index, name, first: first[index] ?? '', use }];
  });
}

export function ColumnsTable() {
  return (
    <table className="table columns-table">
      <colgroup>
        <col />
        <col />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t.import.columns.column}</th>
          <th scope="col">{t.import.columns.goes_to}</th>
          <th scope="col">{t.import.columns.first}</th>
        </tr>
      </thead>
      <Rows />
    </table>
  );
}

/** On a phone, the first value is below the name of its column. */
export function NarrowColumnsTable() {
  return (
    <table className="table columns-table">
      <colgroup>
        <col />
        <col />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t.import.columns.column}</th>
          <th scope="col">{t.import.columns.goes_to}</th>
        </tr>
      </thead>
      <Rows isNarrow />
    </table>
  );
}

function Rows({ isNarrow = false }: { isNarrow?: boolean }) {
  return (
    <tbody>
      {useColumns().map((column) => {
        const first = <Bdi>{column.first}</Bdi>;
        return (
          <tr key={column.index}>
            <th scope="row">
              <Name {...column} />
              {isNarrow && <span className="muted">{first}</span>}
            </th>
            <td>
              <UseSelect {...column} />
            </td>
            {!isNarrow && <td className="muted">{first}</td>}
          </tr>
        );
      })}
    </tbody>
  );
}

function Name({ name }: Column) {
  return (
    <code className="columns-name" title={name}>
      <Bdi>{name}</Bdi>
    </code>
  );
}

function UseSelect({ index, name, use }: Column) {
  const { hasStarted } = useImport('source');
  const { use: onUse } = useImportColumns();
  return (
    <Select
      aria-label={t.import.columns.goes_to_of(name)}
      value={use}
      options={all.map((value) => ({ value, label: labelOf(value), quiet: value === 'skip' }))}
      disabled={hasStarted}
      onChange={(next) => onUse(index, next)}
    />
  );
}
