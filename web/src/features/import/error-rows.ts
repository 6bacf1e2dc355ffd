/** The rows of a file that were refused, as a file of its own: mended there, it can be imported like any other. */
import { readRows } from './dry-run.ts';
import type { ReadRow } from './dry-run.ts';

/** Spreadsheets take a file for UTF-8 by this mark alone. */
const mark = '\uFEFF';

export async function errorRows({
  names,
  separator,
  problem,
  sentenceOf,
  ...source
}: {
  names: readonly string[];
  separator: string;
  /** The name of one more column, which says what is wrong. */
  problem: string;
  sentenceOf: (errors: Extract<ReadRow['device'], { errors: unknown }>['errors']) => string;
} & Parameters<typeof readRows>[0]): Promise<string[]> {
  const toLine = (fields: readonly string[]) =>
    `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`;
  const lines = [mark + toLine([...names, problem])];
  for await (const { fields, device } of readRows(source)) {
    if ('row' in device) continue;
    const empty = names.slice(fields.length).map(() => '');
    lines.push(toLine([...fields, ...empty, sentenceOf(device.errors)]));
  }
  return lines;
}

function quoted(field: string, separator: string): string {
  return /["\r\n]/.test(field) || field.includes(separator) ? `"${field.replaceAll('"', '""')}"` : field;
}
