/**
 * The pseudo right-to-left language. The arguments of a dictionary function (a device's name, a number) must not be
 * reversed, so they are marked with private-use characters.
 */
const open = '\u{e000}';
const close = '\u{e001}';
const kept = new RegExp(`${open}[^${close}]*${close}|\\{\\w+\\}`, 'u');
const word = /[\p{L}\p{M}]+/gu;
/** Right-to-left mark: reversed Latin letters need it to be laid out from right to left. */
const rightToLeft = '\u{200f}';

export function pseudo(text: string): string {
  const match = kept.exec(text);
  if (!match) return text.replace(word, (letters) => rightToLeft + [...letters].toReversed().join('') + rightToLeft);
  const before = pseudo(text.slice(0, match.index));
  const after = pseudo(text.slice(match.index + match[0].length));
  return before + match[0].replaceAll(open, '').replaceAll(close, '') + after;
}

/** A dictionary of the same shape in the pseudo language. */
export function pseudoDictionary<T>(entry: T): T {
  if (typeof entry === 'string') return pseudo(entry) as T;
  if (typeof entry === 'function') {
    return ((...given: unknown[]) => {
      const marked = given.map((value) => (typeof value === 'string' && value !== '' ? open + value + close : value));
      return pseudo(String(entry(...marked)));
    }) as T;
  }
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, pseudoDictionary(value)])) as T;
}
