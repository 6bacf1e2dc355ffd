/**
 * Devices as files: CSV and GeoJSON as an export writes them, and an import reads them. Importing an exported file
 * changes nothing. A leaf that runs in Node and in a browser.
 */
import type { Member, Resource } from '../contract.ts';
import { deviceColumns } from './device-fault.ts';

export type DeviceFormat = 'csv' | 'geojson';
type FileDevice = Pick<Resource, 'id' | 'name' | 'machine_type' | 'description' | 'position'>;
/** Of a swarm: with its owner and role, which an import ignores. */
type FileMember = FileDevice & Pick<Member, 'user_id' | 'resource_type'>;

/** A file is `start`, the devices with `between` them, and `end`. */
interface FileFormat<Device> {
  type: string;
  start: string;
  between: string;
  end: string;
  write(device: Device): string;
}

export const deviceFiles = filesOf<FileDevice>([]);
const memberFiles = filesOf<FileMember>(['user_id', 'resource_type']);

/** The parts of a file. */
export const deviceFile = (format: DeviceFormat, devices: readonly FileDevice[]) =>
  partsOf(deviceFiles[format], devices);
export const memberFile = (format: DeviceFormat, members: readonly FileMember[]) =>
  partsOf(memberFiles[format], members);

/** `more`: the fields after those of every device. */
function filesOf<Device extends FileDevice>(
  more: readonly (keyof Device & string)[],
): Record<DeviceFormat, FileFormat<Device>> {
  return {
    csv: {
      type: 'text/csv; charset=utf-8',
      // without the byte order mark, spreadsheets do not read it as UTF-8
      start: `\uFEFF${toLine(['id', ...deviceColumns, ...more], ',')}`,
      between: '',
      end: '',
      write(device) {
        const { id, name, machine_type, description = '', position } = device;
        const { longitude = '', latitude = '' } = position ?? {};
        const cells = [id, escapeFormula(name), machine_type, escapeFormula(description), longitude, latitude];
        return toLine([...cells, ...more.map((field) => escapeFormula(String(device[field])))].map(String), ',');
      },
    },
    geojson: {
      type: 'application/geo+json',
      start: '{"type":"FeatureCollection","features":[\n',
      between: ',\n',
      end: '\n]}\n',
      write(device) {
        const { id, name, machine_type, description, position } = device;
        return JSON.stringify({
          type: 'Feature',
          id,
          geometry: position ? { type: 'Point', coordinates: [position.longitude, position.latitude] } : null,
          properties: {
            ...{ name, machine_type, ...(description !== undefined && { description }) },
            ...Object.fromEntries(more.map((field) => [field, device[field]])),
          },
        });
      },
    },
  };
}

function partsOf<Device>({ start, between, end, write }: FileFormat<Device>, devices: readonly Device[]): string[] {
  return [start, ...devices.map((device, index) => (index === 0 ? '' : between) + write(device)), end];
}

/** One line of a file of separated text. */
export function toLine(fields: readonly string[], separator: string): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`;
}

function quoted(field: string, separator: string): string {
  return /["\r\n]/.test(field) || field.includes(separator) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV injection"), in some languages in full width. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const escaped = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** An apostrophe before it makes a cell a text in every spreadsheet. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Texts that an import would take for escaped ones get one more apostrophe. */
export function keepApostrophe(text: string): string {
  return escaped.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that an export has added. */
export function unescapeFormula(text: string): string {
  return escaped.test(text) ? text.slice(1) : text;
}
