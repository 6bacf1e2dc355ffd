/**
 * Devices as files: CSV and GeoJSON as an export writes them, and an import reads them. Importing an exported file
 * changes nothing. A leaf that runs in Node and in a browser.
 */
import type { Device, Position, Resource, ResourceCreate } from '../../contract.ts';

export const deviceColumns = [
  'name',
  'machine_type',
  'description',
  'longitude',
  'latitude',
  'positioned_at',
  'accuracy',
  'expected_every',
  'keep_track',
  'keep_values',
] as const;
export type DeviceColumn = (typeof deviceColumns)[number];

export type DeviceFormat = 'csv' | 'geojson';
type FileDevice = ResourceCreate &
  Pick<Resource, 'id'> &
  Partial<Pick<Device, 'created_at' | 'modified_at' | 'changed_at'>>;

/** `changed_at` tells an import whether the device was changed after the export. */
export const exportColumns = ['id', ...deviceColumns, 'changed_at'];
/** Whether it has the only form that an export writes. A spreadsheet may have rewritten it in a local one. */
export const isExportedTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
const changedAt = ({ created_at, modified_at, changed_at }: FileDevice) =>
  changed_at ?? modified_at ?? created_at ?? '';

const isCoordinate = (column: DeviceColumn): column is keyof Position =>
  column === 'longitude' || column === 'latitude';
const valueOf = (device: FileDevice, column: DeviceColumn) =>
  isCoordinate(column) ? device.position?.[column] : device[column];

/** A file is `start`, the devices with `between` them, and `end`. */
export const deviceFiles: Record<
  DeviceFormat,
  { type: string; start: string; between: string; end: string; write(device: FileDevice): string }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    // Without the byte order mark, spreadsheets do not read it as UTF-8.
    start: `\uFEFF${toLine(exportColumns, ',')}`,
    between: '',
    end: '',
    write(device) {
      const cells = deviceColumns.map((column) => valueOf(device, column) ?? '');
      const texts = cells.map((value) => (typeof value === 'string' ? escapeFormula(value) : String(value)));
      return toLine([device.id, ...texts, changedAt(device)], ',');
    },
  },
  geojson: {
    type: 'application/geo+json',
    start: '{"type":"FeatureCollection","features":[\n',
    between: ',\n',
    end: '\n]}\n',
    write(device) {
      const { id, position } = device;
      const named = deviceColumns.filter((column) => !isCoordinate(column));
      return JSON.stringify({
        type: 'Feature',
        id,
        geometry: position ? { type: 'Point', coordinates: [position.longitude, position.latitude] } : null,
        properties: {
          ...Object.fromEntries(named.map((column) => [column, valueOf(device, column)])),
          ...(changedAt(device) && { changed_at: changedAt(device) }),
        },
      });
    },
  },
};

/** The parts of a file. */
export function deviceFile(format: DeviceFormat, devices: readonly FileDevice[]): string[] {
  const { start, between, end, write } = deviceFiles[format];
  return [start, ...devices.map((device, index) => (index === 0 ? '' : between) + write(device)), end];
}

/** One line of a file of separated text. */
export function toLine(fields: readonly string[], separator: string): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`;
}

/** Also for the separators of other languages: a spreadsheet reads the file by its user's language. */
function quoted(field: string, separator: string): string {
  return /["\r\n,;\t|]/.test(field) || field.includes(separator) ? `"${field.replaceAll('"', '""')}"` : field;
}

/**
 * Where a cell may begin that a spreadsheet would run as a formula (OWASP, "CSV injection"), in some languages in full
 * width: at the start, and behind each character that is a separator for a spreadsheet in another language.
 */
const formula = /(?<=^|[,;\t|\r\n])(?=["']*[=+\-@\t\r\n＝＋－＠])/g;
/** The apostrophe of an escaped one. */
const apostrophe = /(?<=^|[,;\t|\r\n])'(?=["']*[=+\-@\t\r\n＝＋－＠])/g;

/** An apostrophe before it makes a cell a text in every spreadsheet. */
export function escapeFormula(text: string): string {
  return text.replaceAll(formula, "'");
}

/** Texts that an import would take for escaped ones get one more apostrophe. */
export function keepApostrophe(text: string): string {
  return text.replaceAll(apostrophe, "''");
}

/** Removes the apostrophes that an export has added. */
export function unescapeFormula(text: string): string {
  return text.replaceAll(apostrophe, '');
}
