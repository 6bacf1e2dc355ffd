/**
 * Parses invite codes as users paste them: links, `user/resource-id`, and rows of CSV files, in any mix. Each may name
 * its role: `user/resource-id consumer`, `role=consumer` in the link, or a column. A malformed line has an error, and an
 * unrecognised column is listed, so that nothing is ignored silently.
 */
import type { InvitationRole } from '@swarmdeck/bff/contract';
import { separatorOf } from '@swarmdeck/bff/csv';

export interface InviteCode {
  to: string;
  resource_id: string;
}

export type CodeError =
  | 'no_separator'
  | 'user_malformed'
  | 'id_malformed'
  | 'link_incomplete'
  | 'role_unknown'
  | 'role_both';

/** A code, and its role if the row names one. */
type ReadCode = { code: InviteCode; role?: InvitationRole } | { error: CodeError };

/** `line` starts at 1, as the line numbers of the field. */
export type CodeLine = { line: number; text: string } & ReadCode;

export type ColumnUse = 'user' | 'id' | 'role' | 'skip';

/** The uses that the user has selected, by the key of the column. */
export type ColumnAnswers = ReadonlyMap<string, ColumnUse>;

/** A column with values and an unknown name. */
export interface UnknownColumn {
  /** The name in lower case, or `#3`. */
  key: string;
  name?: string;
  /** The number of a column without a name. */
  number?: number;
  first: string;
  /** The use that the user has selected. Nothing can be sent without it. */
  use?: ColumnUse;
  /** The possible uses, besides `skip`. */
  uses: ColumnUse[];
}

interface Row {
  line: number;
  text: string;
  /** Null for a link or `user/resource-id`. */
  cells: string[] | null;
}

/** Rows with the same columns: below a header, or without one. */
interface Table {
  names: string[];
  rows: Row[];
}

const userName = /^[a-z0-9_-]{3,32}$/;
const resourceId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const knownNames: Record<Exclude<ColumnUse, 'skip'>, string[]> = {
  user: ['user', 'to', 'user_id', 'owner', 'username', 'user_name'],
  id: ['resource', 'resource_id', 'id', 'device', 'device_id'],
  role: ['role', 'resource_type'],
};
const columnUses = ['user', 'id', 'role'] as const;

export function readCodes(
  text: string,
  answers: ColumnAnswers = new Map(),
): { lines: CodeLine[]; columns: UnknownColumn[] } {
  const lines: CodeLine[] = [];
  const columns = new Map<string, UnknownColumn>();
  for (const table of tablesOf(text)) {
    const unknown = unknownColumns(table, answers);
    for (const { column } of unknown) if (!columns.has(column.key)) columns.set(column.key, column);
    const uses = usesOf(table);
    for (const { index, column } of unknown) uses[index] = column.use;
    for (const row of table.rows) lines.push({ line: row.line, text: row.text, ...readRow(row, uses) });
  }
  return { lines, columns: [...columns.values()] };
}

function tablesOf(text: string): Table[] {
  let table: Table = { names: [], rows: [] };
  const tables = [table];
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const content = line.trim();
    if (content === '') continue;
    const cells = isLink(content) ? [] : cellsOf(content);
    if (isHeader(cells)) tables.push((table = { names: cells, rows: [] }));
    else
      table.rows.push({ line: index + 1, text: content, cells: cells.length > 1 && !isCode(cells[0]!) ? cells : null });
  }
  return tables;
}

/** `user/resource-id`, which may be followed by a role. */
const isCode = (text: string) => resourceId.test(text.split('/')[1]?.trim().toLowerCase() ?? '');
const isLink = (text: string) => /^https?:/i.test(text) || URL.parse(text)?.searchParams.has('to') === true;

/** A line with two known names is a header, unless it has an id: a user may be called "user". */
function isHeader(cells: string[]): boolean {
  const known = new Set(cells.map(useOfName).filter((use) => use !== undefined));
  return known.size > 1 && !cells.some((cell) => resourceId.test(cell.toLowerCase()));
}

function useOfName(name: string): Exclude<ColumnUse, 'skip'> | undefined {
  const plain = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return columnUses.find((use) => knownNames[use].includes(plain));
}

/** By the names of the header, each use once; without a header, by position. */
function usesOf({ names, rows }: Table): (ColumnUse | undefined)[] {
  if (names.length > 0) {
    const uses = names.map(useOfName);
    return uses.map((use, index) => (uses.indexOf(use) === index ? use : undefined));
  }
  const third = rows.flatMap(({ cells }) => cells?.[2] || []);
  return ['user', 'id', third.every((cell) => !('error' in readRole(cell))) ? 'role' : undefined];
}

function unknownColumns(table: Table, answers: ColumnAnswers): { index: number; column: UnknownColumn }[] {
  const known = usesOf(table);
  const first = new Map<number, string>();
  for (const { cells } of table.rows) {
    for (const [index, cell] of cells?.entries() ?? []) {
      if (cell !== '' && known[index] === undefined && !first.has(index)) first.set(index, cell);
    }
  }
  const found = [...first].toSorted(([a], [b]) => a - b);
  const keyOf = (index: number) => table.names[index]?.toLowerCase() || `#${index + 1}`;
  const answered = found.map(([index]) => answers.get(keyOf(index)));
  return found.map(([index, value], place) => {
    const name = table.names[index];
    const use = answered[place];
    const taken = [...known, ...answered.filter((_other, at) => at !== place)];
    const column: UnknownColumn = {
      key: keyOf(index),
      ...(name ? { name } : { number: index + 1 }),
      first: value,
      ...(use && { use }),
      uses: columnUses.filter((each) => !taken.includes(each)),
    };
    return { index, column };
  });
}

function readRow({ text, cells }: Row, uses: (ColumnUse | undefined)[]): ReadCode {
  if (isLink(text)) {
    const link = URL.parse(text)?.searchParams;
    const to = link?.get('to');
    const id = link?.get('resource');
    return to && id ? checked({ to, id, role: link?.get('role') ?? '' }) : { error: 'link_incomplete' };
  }
  if (cells) {
    const cell = (use: ColumnUse) => cells[uses.indexOf(use)] ?? '';
    return checked({ to: cell('user'), id: cell('id'), role: cell('role') });
  }
  const slash = text.indexOf('/');
  if (slash < 0) return { error: 'no_separator' };
  const [id = '', role = ''] = text
    .slice(slash + 1)
    .trim()
    .split(/[\s,;|]+/);
  return checked({ to: text.slice(0, slash), id, role });
}

function checked({ to: user, id, role = '' }: { to: string; id: string; role?: string }): ReadCode {
  const to = user.trim().toLowerCase();
  const resource_id = id.trim().toLowerCase();
  if (!userName.test(to)) return { error: 'user_malformed' };
  if (!resourceId.test(resource_id)) return { error: 'id_malformed' };
  if (role === '') return { code: { to, resource_id } };
  const read = readRole(role);
  return 'error' in read ? read : { code: { to, resource_id }, ...read };
}

function readRole(cell: string): { role: InvitationRole } | { error: CodeError } {
  const role = cell.toLowerCase();
  if (role === 'producer' || role === 'consumer') return { role };
  return { error: role === 'both' ? 'role_both' : 'role_unknown' };
}

/** The text with the role of one line set. The line keeps its form if the form has a place for a role. */
export function withRole(
  text: string,
  { line, role }: { line: number; role: InvitationRole },
  answers: ColumnAnswers = new Map(),
): string {
  const table = tablesOf(text).find(({ rows }) => rows.some((row) => row.line === line));
  const row = table?.rows.find((each) => each.line === line);
  if (!table || !row) return text;
  const uses = usesOf(table);
  for (const { index, column } of unknownColumns(table, answers)) uses[index] = column.use;
  const lines = text.split(/\r\n|[\n\r]/);
  lines[line - 1] = rowWithRole(row, role, uses);
  return lines.join('\n');
}

function rowWithRole(row: Row, role: InvitationRole, uses: (ColumnUse | undefined)[]): string {
  const { text, cells } = row;
  if (isLink(text)) {
    const link = URL.parse(text);
    if (!link) return text;
    link.searchParams.set('role', role);
    return link.href;
  }
  const column = uses.indexOf('role');
  if (cells && column >= 0) {
    const separator = separatorOf(text) ?? ',';
    const next = Array.from({ length: Math.max(cells.length, column + 1) }, (_, index) => cells[index] ?? '');
    next[column] = role;
    return next.map((cell) => quotedCell(cell, separator)).join(separator);
  }
  const read = readRow(row, uses);
  return 'code' in read ? `${read.code.to}/${read.code.resource_id} ${role}` : text;
}

function quotedCell(cell: string, separator: string): string {
  return cell.includes('"') || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Splits one line into cells. A separator within quotation marks is text. */
function cellsOf(text: string): string[] {
  const separator = separatorOf(text) ?? ',';
  if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim());
  const cells = [''];
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    if (char === separator && !quoted) cells.push('');
    else cells.push(`${cells.pop()}${char}`);
  }
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
}
