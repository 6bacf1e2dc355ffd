import type { ReactNode } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import type { ImportError } from '../rows/check-row.ts';
import type { Use } from '../rows/column-uses.ts';

/** GeoJSON types, which the table of a GeoJSON file has instead of a longitude. */
const geometries: ReadonlySet<string> = new Set([
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);

const isGeometry = (error: ImportError) => error.code === 'not_a_number' && geometries.has(error.text);

/** The message for an error of a cell or a row. `{value}` is the invalid text. */
function errorSentenceOf(error: ImportError): string {
  switch (error.code) {
    case 'missing':
      return error.column === 'name' ? t.import.row_errors.missing.name : t.import.row_errors.missing.machine_type;
    case 'too_long':
      return t.import.row_errors.too_long(formatNumber(error.most));
    case 'out_of_range':
      return (error.swapped ? t.import.row_errors.swapped : t.import.row_errors.out_of_range)(formatNumber(error.most));
    case 'too_many_cells':
      return t.import.row_errors.too_many_cells(error.fields, error.columns);
    case 'not_a_number':
      return isGeometry(error) ? t.import.row_errors.geometry : t.import.row_errors.not_a_number;
    default:
      return t.import.row_errors[error.code];
  }
}

function textOf(error: ImportError): string {
  return 'text' in error ? error.text : '';
}

/** The name of a use of a column. */
export const labelOf = (use: Use) =>
  use === 'id' || use === 'changed_at' || use === 'skip' ? t.import.columns.uses[use] : t.device.form[use];

/** The column of an error. Null if it is about the whole row or feature. */
const columnOf = (error: ImportError) => (error.column === 'row' || isGeometry(error) ? null : error.column);

/** The messages of a row for a file: without markup, the column first. */
export function plainErrors(errors: readonly ImportError[]): string {
  const one = (error: ImportError) => errorSentenceOf(error).replace('{value}', () => textOf(error));
  return errors
    .map((error) => {
      const column = columnOf(error);
      return column === null ? one(error) : `${labelOf(column)}: ${one(error)}`;
    })
    .join('; ');
}

export function RowErrorText({ error }: { error: ImportError }): ReactNode {
  const column = columnOf(error);
  return (
    <>
      {column !== null && <b className="strong">{labelOf(column)} </b>}
      <Rich text={errorSentenceOf(error)} value={<Bdi>{textOf(error)}</Bdi>} />
    </>
  );
}
