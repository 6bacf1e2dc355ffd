/**
 * Parses invite codes as users paste them: links, `user/resource-id`, and rows of CSV files, in any mix. Each may name
 * its role: `user/resource-id consumer`, `role=consumer` in the link or a word after it, or a column. A malformed line has
 * an error, and an unrecognised column is listed, so that nothing is ignored silently.
 */
import type { MemberRole } from '@swarmdeck/bff/contract';
import { separators } from '@swarmdeck/bff/csv-parser';
import { userNameRule } from '@swarmdeck/bff/field-rules';
import { inviteLink, labelOf } from '../../../data/invite-link.ts';
import { t } from '../../../text/text.ts';

export interface InviteCode {
  to: string;
  resource_id: string;
}

export type CodeError = 'no_separator' | 'user_malformed' | 'id_malformed' | 'link_incomplete' | 'role_unknown';

/** A code, and its role and its label if the row has them. */
type ReadCode = { code: InviteCode; role?: MemberRole; label?: string } | { error: CodeError };

/** `line` starts at 1, as the line numbers of the field. */
export type CodeLine = { line: number; text: string } & ReadCode;

export type ColumnUse = 'user' | 'id' | 'role' | 'label' | 'skip';

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

const resourceId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const knownNames: Record<Exclude<ColumnUse, 'skip'>, string[]> = {
  user: ['user', 'to', 'user_id', 'owner', 'username', 'user_name'],
  id: ['resource', 'resource_id', 'id', 'device', 'device_id'],
  role: ['role', 'resource_type'],
  label: ['label', 'name', 'device_name'],
};
const columnUses = ['user', 'id', 'role', 'label'] as const;

export function readCodes(
  text: string,
  answers: ColumnAnswers = new Map(),
): { lines: CodeLine[]; columns: UnknownColumn[] } {
  const lines: CodeLine[] = [];
  const columns = new Map<string, UnknownColumn>();
  for (const table of tablesOf(oneCodePerLine(text))) {
    const unknown = unknownColumns(table, answers);
    for (const { column } of unknown) if (!columns.has(column.key)) columns.set(column.key, column);
    const uses = usesOf(table);
    for (const { index, column } of unknown) uses[index] = column.use;
    for (const row of table.rows) lines.push({ line: row.line, text: row.text, ...readRow(row, uses) });
  }
  return { lines, columns: [...columns.values()] };
}

/** A link, or `user/resource-id`. */
const codeOrLink = /https?:\/\/[^\s,;|]+|[\w-]{3,32}\s*\/\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The text with a line for each code. A role stays with the code before it. */
export function oneCodePerLine(text: string): string {
  return text
    .split(/\r\n|[\n\r]/)
    .map((line) => {
      const [, ...further] = Array.from(line.matchAll(codeOrLink), ({ index }) => index);
      if (further.length === 0) return line;
      const starts = [0, ...further];
      return starts
        .map((start, at) =>
          line
            .slice(start, starts[at + 1])
            .trimEnd()
            .replace(/[,;|]$/, '')
            .trimEnd(),
        )
        .join('\n');
    })
    .join('\n');
}

/** As notes and messages begin the lines of a list. */
const bullet = /^(?:[-–—*+•◦▪‣·>]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?|^[•◦▪‣·]/i;

function tablesOf(text: string): Table[] {
  let table: Table = { names: [], rows: [] };
  const tables = [table];
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const content = line.trim().replace(bullet, '');
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
// Parsing a URL is slow, and a link without a query has no code.
const isLink = (text: string) =>
  /^https?:/i.test(text) || (text.includes('?') && URL.parse(text)?.searchParams.has('to') === true);
/** The parts of a line that is not a row of cells: a code or a link, and the words of a role. */
const partsOf = (text: string) => {
  const [first = '', ...role] = text.trim().split(/[\s,;|]+/);
  return { first, role: role.join(' ') };
};

/** A line with two known names is a header, unless it has an id: a user may be called "user". */
function isHeader(cells: string[]): boolean {
  const known = new Set(cells.map(useOfName).filter((use) => use !== undefined));
  return known.size > 1 && !cells.some((cell) => resourceId.test(cell.toLowerCase()));
}

function useOfName(name: string): Exclude<ColumnUse, 'skip'> | undefined {
  const plain = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return columnUses.find(
    (use) => knownNames[use].includes(plain) || t.invite.columns.uses[use].toLowerCase() === name.toLowerCase(),
  );
}

/** By the names of the header, each use once; without a header, by position. */
function usesOf({ names, rows }: Table): (ColumnUse | undefined)[] {
  if (names.length > 0) {
    const uses = names.map(useOfName);
    return uses.map((use, index) => (uses.indexOf(use) === index ? use : undefined));
  }
  const third = rows.flatMap(({ cells }) => cells?.[2] || []);
  return ['user', 'id', third.length < 2 || third.some((cell) => readRole(cell)) ? 'role' : undefined];
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
  // Without a header, the third column is the role: what is no role is an error of its line, and not ignored.
  const presumed = (index: number) => (table.names.length === 0 && index === 2 ? ('role' as const) : undefined);
  const answered = found.map(([index]) => answers.get(keyOf(index)) ?? presumed(index));
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
    const { first, role } = partsOf(text);
    const link = URL.parse(first)?.searchParams;
    const to = link?.get('to');
    const id = link?.get('resource');
    const label = link?.get('label') ?? '';
    return to && id
      ? checked({ to, id, role: role || (link?.get('role') ?? ''), label })
      : { error: 'link_incomplete' };
  }
  if (cells) {
    const cell = (use: ColumnUse) => cells[uses.indexOf(use)] ?? '';
    return checked({ to: cell('user'), id: cell('id'), role: cell('role'), label: cell('label') });
  }
  const slash = text.indexOf('/');
  if (slash < 0) return { error: 'no_separator' };
  const { first: id, role } = partsOf(text.slice(slash + 1));
  return checked({ to: text.slice(0, slash), id, role });
}

interface TypedCode {
  to: string;
  id: string;
  role?: string;
  label?: string;
}

function checked({ to: user, id, role = '', label: text = '' }: TypedCode): ReadCode {
  const to = user.trim().toLowerCase();
  const resource_id = id.trim().toLowerCase();
  if (!userNameRule.test(to)) return { error: 'user_malformed' };
  if (!resourceId.test(resource_id)) return { error: 'id_malformed' };
  const label = labelOf(text);
  const code = { code: { to, resource_id }, ...(label && { label }) };
  if (role === '') return code;
  const read = readRole(role);
  return read ? { ...code, role: read } : { error: 'role_unknown' };
}

/** Reads a role in English or in the language of the app: `consumer`, `both`, `producer + consumer`. */
function readRole(text: string): MemberRole | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s+&,/]+/)
    .filter((word) => word !== '' && !ignored().includes(word));
  const roles = words.map((word) => memberRoles.find((role) => wordsOf(role).includes(word)));
  if (roles.length === 0 || roles.includes(undefined)) return undefined;
  return roles.every((role) => role === roles[0]) ? roles[0] : 'both';
}

const memberRoles = ['producer', 'consumer', 'both'] as const satisfies readonly MemberRole[];
const wordsOf = (role: MemberRole) => [role, ...t.invite.role_words[role].split(' ')];
const ignored = () => ['and', t.invite.role_words.and];

/** The text with the role of one line set. The line keeps its form if the form has a place for a role. */
export function withRole(
  text: string,
  { line, role }: { line: number; role: MemberRole },
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

function rowWithRole(row: Row, role: MemberRole, uses: (ColumnUse | undefined)[]): string {
  const { text, cells } = row;
  if (isLink(text)) {
    const link = URL.parse(partsOf(text).first);
    if (!link) return text;
    link.searchParams.set('role', role);
    return link.href;
  }
  const column = uses.indexOf('role');
  if (cells && column >= 0) {
    const separator = separatorOf(text);
    const next = Array.from({ length: Math.max(cells.length, column + 1) }, (_, index) => cells[index] ?? '');
    next[column] = role;
    return next.map((cell) => quotedCell(cell, separator)).join(separator);
  }
  const read = readRow(row, uses);
  return 'code' in read ? codeLine(read.code, { ...read, role }) : text;
}

/** A line of the list. Only a link can have a label. */
export function codeLine(code: InviteCode, { label, role }: { label?: string; role?: MemberRole } = {}): string {
  const line = label ? inviteLink({ origin: location.origin, ...code, label }) : `${code.to}/${code.resource_id}`;
  return role ? `${line} ${role}` : line;
}

/** The most frequent separator of a line. */
function separatorOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best));
}

function quotedCell(cell: string, separator: string): string {
  return cell.includes('"') || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Splits one line into cells. A separator within quotation marks is text. */
function cellsOf(text: string): string[] {
  const separator = separatorOf(text);
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
