/**
 * CSV for a spreadsheet in the user's language. The server writes commas and decimal points in every language: a spreadsheet in German
 * shows all cells in one column then, and takes 21.5 for a day in May. An import reads both.
 */
import { language, localeOf } from '../../text/language.ts';

interface CsvForm {
  separator: ',' | ';';
  decimal: string;
}

/** In other columns, such as names, a text that looks like a number stays as it is. */
const numberColumns: ReadonlySet<string> = new Set(
  'longitude latitude accuracy value first last min max payload'.split(' '),
);
const decimalNumber = /^-?\d+\.\d+(e[+-]?\d+)?$/i;
/** A part of a cell, or what ends one. Two quotes inside of a cell end one part and begin the next. */
const parts = /"[^"]*"?|[^",\r\n]+|,|\r\n|\r|\n/g;

/** The form of the user's spreadsheet; undefined if it is the one of the server. */
export function localCsvForm(locale = localeOf(language)): CsvForm | undefined {
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const isOwn = sign !== '.' || locale.startsWith('de');
  return isOwn ? { separator: ';', decimal: sign } : undefined;
}

/** A file that the server or the app has written, in another form. */
export function convertCsv(text: string, { separator, decimal }: CsvForm): string {
  const names = [''];
  let column = 0;
  let isHeader = true;
  return text.replaceAll(parts, (part) => {
    if (part === ',') {
      column += 1;
      if (isHeader) names.push('');
      return separator;
    }
    if (part === '\r\n' || part === '\n' || part === '\r') {
      column = 0;
      isHeader = false;
    } else if (isHeader) names[column] += part.replace('\uFEFF', '');
    const isNumber = numberColumns.has(names[column] ?? '') && decimalNumber.test(part);
    return isNumber ? part.replace('.', decimal) : part;
  });
}
