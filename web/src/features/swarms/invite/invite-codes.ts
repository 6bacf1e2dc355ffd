/**
 * Invite codes as people paste them: the link, `user/resource-id`, or lines of a CSV file, mixed as they come.
 * A line that is neither says what is wrong with it; nothing is dropped.
 */
export interface InviteCode {
  to: string;
  resource_id: string;
}

export type CodeFault = 'no_separator' | 'user_malformed' | 'id_malformed' | 'link_incomplete';

/** `line` counts from one, as the field's margin does. */
export type CodeLine = { line: number; text: string } & ({ code: InviteCode } | { fault: CodeFault });

const userName = /^[a-z0-9_-]{3,32}$/;
const resourceId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const userColumns = ['user', 'to', 'user_id', 'owner', 'username', 'user_name'];
const idColumns = ['resource', 'resource_id', 'resource-id', 'id', 'device', 'device_id'];

/** Where a CSV file has user and resource id. */
interface Columns {
  user: number;
  id: number;
}

export function readCodes(text: string): CodeLine[] {
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter(({ text: content }) => content !== '');
  const header = columnsOf(lines[0]?.text ?? '');
  const rows = header ? lines.slice(1) : lines;
  return rows.map((line) => ({ ...line, ...readLine(line.text, header ?? { user: 0, id: 1 }) }));
}

/** Columns of a header line; null when it is no header. */
function columnsOf(text: string): Columns | null {
  const names = cellsOf(text).map((name) => name.toLowerCase());
  const user = names.findIndex((name) => userColumns.includes(name));
  const id = names.findIndex((name, index) => index !== user && idColumns.includes(name));
  return user >= 0 && id >= 0 ? { user, id } : null;
}

function readLine(text: string, columns: Columns): { code: InviteCode } | { fault: CodeFault } {
  const link = URL.parse(text);
  if (link?.searchParams.has('to') || link?.searchParams.has('resource') || /^https?:/i.test(text)) {
    const to = link?.searchParams.get('to');
    const id = link?.searchParams.get('resource');
    return to && id ? checked(to, id) : { fault: 'link_incomplete' };
  }
  const cells = cellsOf(text);
  if (cells.length > 1) return checked(cells[columns.user] ?? '', cells[columns.id] ?? '');
  const slash = text.indexOf('/');
  if (slash < 0) return { fault: 'no_separator' };
  return checked(text.slice(0, slash), text.slice(slash + 1));
}

function checked(user: string, id: string): { code: InviteCode } | { fault: CodeFault } {
  const to = user.trim().toLowerCase();
  const resource_id = id.trim().toLowerCase();
  if (!userName.test(to)) return { fault: 'user_malformed' };
  if (!resourceId.test(resource_id)) return { fault: 'id_malformed' };
  return { code: { to, resource_id } };
}

/** Comma, semicolon or tab between cells, which may stand in quotes. */
function cellsOf(text: string): string[] {
  return text.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
}

/** The link that a device's owner hands on. It opens Invite, filled in. */
export function inviteLink({ origin, to, resource_id }: InviteCode & { origin: string }): string {
  return `${origin}/invite?${new URLSearchParams({ to, resource: resource_id })}`;
}
