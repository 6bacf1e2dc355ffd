/**
 * Errors of rows of devices, as data: the command line and the browser have different messages. This file has those of
 * the command line.
 */
import type { CsvFault } from './csv-parser.ts';
import { deviceColumns, type DeviceColumn } from '../../core/resources/device-export.ts';
import { keptValues, machineTypes } from '../../core/limits/field-rules.ts';

export type { DeviceColumn };

/** `position`: both coordinates in one cell, as maps copy them. */
export type ImportColumn = DeviceColumn | 'position';

/** The columns that an import reads. */
export const importColumns: readonly ImportColumn[] = deviceColumns.flatMap((column) =>
  column === 'latitude' ? [column, 'position' as const] : column,
);

/** `text` is the shortened text of the cell. `row` is the whole record. */
export type RowError = { column: ImportColumn | 'row' } & (
  | { code: CsvFault | 'missing' | 'missing_coordinate' | 'invisible' | 'not_utf8' | 'unprintable' }
  | { code: 'too_long'; most: number }
  | {
      code:
        | 'unknown'
        | 'not_a_number'
        | 'no_pair'
        | 'letter_o'
        | 'no_answer'
        | 'no_time'
        | 'no_accuracy'
        | 'no_kept_values'
        | 'unnamed_column';
      text: string;
    }
  | { code: 'out_of_range'; text: string; most: number; swapped: boolean }
  | { code: 'no_interval'; text: string; least: number; most: number }
  | { code: 'too_many_cells'; fields: number; columns: number }
);

/** Nothing is read below an invalid header. */
export type HeaderError = { column: 'header' } & (
  | { code: CsvFault | 'empty_file' | 'no_rows' | 'not_text' }
  | { code: 'missing' | 'missing_coordinate'; of: DeviceColumn }
);

export type DeviceError = RowError | HeaderError;

const broken: Record<CsvFault, string> = {
  record_too_long: 'longer than 65536 characters',
  quote_left_open: 'a quotation mark is not closed',
  text_after_quote: 'text after a closing quotation mark: double the quotation marks inside a quoted field',
};

/** `latitude: "91" is outside -90 to 90`. */
export function faultSentence(fault: DeviceError): string {
  if (fault.column === 'header') return ofFile[fault.code] ?? `header: ${ofHeader(fault)}`;
  return fault.column === 'row' ? ofRow(fault) : `${fault.column}: ${ofRow(fault)}`;
}

/** Errors of the whole file. */
const ofFile: Partial<Record<HeaderError['code'], string>> = {
  empty_file: 'the file is empty',
  no_rows: 'the file has column names, but no rows below them',
  not_text: 'this is not a text file: save it as CSV UTF-8',
};

function ofHeader(fault: HeaderError): string {
  switch (fault.code) {
    case 'missing':
      return `no column ${fault.of}`;
    case 'missing_coordinate':
      return `no column ${fault.of}: a position needs both`;
    default:
      return broken[fault.code as CsvFault];
  }
}

function ofRow(fault: RowError): string {
  switch (fault.code) {
    case 'missing':
      return fault.column === 'name' ? 'a name is missing' : `a machine type is missing: ${machineTypes.join(', ')}`;
    case 'invisible':
      return 'needs at least one visible character';
    case 'too_long':
      return `longer than ${fault.most} characters`;
    case 'not_utf8':
      return 'has unreadable characters: save the file as CSV UTF-8';
    case 'unprintable':
      return 'contains a control character';
    case 'unknown':
      return `"${fault.text}" is not one of ${machineTypes.join(', ')}`;
    case 'missing_coordinate':
      return 'missing: a position needs both';
    case 'not_a_number':
      return `"${fault.text}" is not a number of degrees such as 8.5492`;
    case 'no_pair':
      return `"${fault.text}" is not a latitude and a longitude such as 47.4583, 8.5492`;
    case 'letter_o':
      return `"${fault.text}": the file does not say whether O is east or west; write E or W`;
    case 'out_of_range': {
      const swapped = fault.swapped ? '; longitude and latitude look swapped' : '';
      return `"${fault.text}" is outside -${fault.most} to ${fault.most}${swapped}`;
    }
    case 'no_interval':
      return `"${fault.text}" is neither 0 (never) nor a whole number of seconds from ${fault.least} to ${fault.most}, also as 5 min, 1 h or 1 d`;
    case 'no_time':
      return `"${fault.text}" is not a time with its zone such as 2026-01-02T03:04:05Z`;
    case 'no_accuracy':
      return `"${fault.text}" is not a number of metres`;
    case 'no_kept_values':
      return `"${fault.text}" is not one of ${keptValues.join(', ')}`;
    case 'no_answer':
      return `"${fault.text}" is not true or false`;
    case 'too_many_cells':
      return `${fault.fields} fields for ${fault.columns} ${fault.columns === 1 ? 'column' : 'columns'}`;
    case 'unnamed_column':
      return `"${fault.text}" is in a column without a name`;
    default:
      return broken[fault.code];
  }
}
