/** Writes one line of a CSV file. */
export function toLine(fields: readonly string[], separator: string): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`;
}

function quoted(field: string, separator: string): string {
  return /["\r\n]/.test(field) || field.includes(separator) ? `"${field.replaceAll('"', '""')}"` : field;
}
