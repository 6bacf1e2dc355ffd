/**
 * JSON as this server takes it: without what two parsers could read differently. Its fields are also there as the text that was
 * sent, in which large numbers keep their digits.
 */
import { limits, unprintable } from '../limits/field-rules.ts';
import { mostValues } from '../limits/operation-rows.ts';
import type { FieldFault } from '../problem.ts';
import { faultsAtMost } from '../sent-body.ts';

/** Characters of a large text that are checked at a time: less than a millisecond. */
const checkedAtOnce = 128 * 1024;
/** The number of characters of a field's name in an error. */
export const namedAtMost = 64;

/** A range of a text, and how many characters of white space it has outside of strings. */
interface TextRange {
  from: number;
  to: number;
  spaces: number;
}

interface JsonText {
  value: unknown;
  /** The text of a field of the object, or of all, without white space outside of strings. '' for a field that is not there. */
  textOf: (name?: string) => string;
}

/**
 * `fault`: why a text is not JSON, or not accepted here. `depth`: how deeply it may be nested. Yields after each piece of a text that is
 * larger than `checkedAtOnce`.
 */
export function* parseJson(
  text: string,
  depth: number = limits.bodyDepth,
): Generator<undefined, JsonText | { fault: string }> {
  // Before it is parsed, because each value costs time and memory: a text that is refused costs no more than this.
  const found = yield* rangesOf(text, depth);
  if (typeof found === 'string') return { fault: found };
  try {
    const value: unknown = JSON.parse(text);
    return { value, textOf: (name) => textOf(text, name === undefined ? found.all : found.fields.get(name)) };
  } catch {
    return { fault: text.trim() === '' ? 'it is empty' : 'it is not valid JSON' };
  }
}

/** Strings, which stay as they are, and white space. */
const stringOrSpace = /("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g;

function textOf(text: string, range: TextRange | undefined): string {
  if (!range) return '';
  const found = text.slice(range.from, range.to);
  if (range.spaces > 0) return found.replaceAll(stringOrSpace, '$1');
  // A short slice would keep a large text in memory.
  return text.length > 2 * found.length + 256 ? Buffer.from(found).toString() : found;
}

const [quote, comma, backslash] = [34, 44, 92];
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125];
const lastSpace = 32;
const colon = /\s*:/y;

/**
 * All of a text, and the values of the fields of its object. Or the first of what JSON.parse accepts and this server does not:
 * duplicate keys, `__proto__`, deep nesting and very many values. Text that is not JSON may have any of them or none.
 */
function* rangesOf(
  text: string,
  depth: number,
): Generator<undefined, { all: TextRange; fields: Map<string, TextRange> } | string> {
  const stack: (Set<string> | undefined)[] = [];
  const fields = new Map<string, TextRange>();
  let field: TextRange | undefined;
  let [values, names, spaces] = [1, 0, 0];
  function endField(at: number) {
    if (!field || stack.length > 1) return;
    field.to = at;
    field.spaces = spaces - field.spaces;
    field = undefined;
  }
  let checkedTo = checkedAtOnce;
  for (let at = 0; at < text.length; at++) {
    if (at >= checkedTo) {
      yield;
      checkedTo = at + checkedAtOnce;
    }
    const code = text.charCodeAt(at);
    if (code === quote) {
      let endIndex = endOfString(text, at + 1, checkedTo);
      while (endIndex >= checkedTo && endIndex < text.length) {
        yield;
        checkedTo = endIndex + checkedAtOnce;
        endIndex = endOfString(text, endIndex, checkedTo);
      }
      const keys = stack.at(-1);
      colon.lastIndex = endIndex + 1;
      if (keys && colon.test(text)) {
        const name = text.slice(at + 1, endIndex);
        const key = name.includes('\\') ? unescaped(name) : name;
        if (key === '__proto__') return '"__proto__" is not allowed as a field';
        if (keys.has(key)) return `the field ${quoted(key)} occurs twice`;
        keys.add(key);
        // In text that is not JSON, names may follow each other.
        names += 1;
        if (stack.length === 1) fields.set(key, (field = { from: colon.lastIndex, to: text.length, spaces }));
      }
      at = endIndex;
    } else if (code <= lastSpace) {
      spaces += 1;
    } else if (code === openObject || code === openArray) {
      stack.push(code === openObject ? new Set() : undefined);
      values += 1;
      if (stack.length > depth) return `it is nested deeper than ${depth} levels`;
    } else if (code === closeObject || code === closeArray) {
      endField(at);
      stack.pop();
    } else if (code === comma) {
      endField(at);
      values += 1;
    }
    if (Math.max(values, names) > mostValues) return `it has more than ${mostValues} values`;
  }
  return { all: { from: 0, to: text.length, spaces }, fields };
}

/** The index of the quotation mark that ends a string, or the first from `stop` on that is read next. `from`: where it goes on. */
function endOfString(text: string, from: number, stop: number): number {
  const endIndex = Math.min(text.length, stop);
  let at = from;
  while (at < endIndex && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** The text between the quotation marks; the same text if it is not JSON. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** Checks all texts, and the number of items of all arrays. Returns false if an array has too many. */
export function checkValues(
  value: unknown,
  path: string[],
  checked: { mostItems: number; faults: FieldFault[] },
): boolean {
  const { mostItems, faults } = checked;
  const add = (code: string, detail: string) => faults.push({ pointer: pointerOf(path), code, detail });
  if (typeof value === 'string') {
    if (!value.isWellFormed()) add('text.malformed', 'contains a lone surrogate');
    if (unprintable.test(value)) add('text.control', 'contains a control character');
  }
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value) && value.length > mostItems) {
    add('field.out_of_range', `must have at most ${mostItems} items`);
    return false;
  }
  let isBounded = true;
  for (const [key, entry] of Object.entries(value)) {
    if (faults.length > faultsAtMost) break;
    path.push(key);
    isBounded = checkValues(entry, path, checked) && isBounded;
    path.pop();
  }
  return isBounded;
}

export const pointerOf = (path: readonly PropertyKey[]) => path.map((key) => `/${escapePointer(key)}`).join('');

/** RFC 6901. */
export function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Only the beginning of a very long name. */
export function quoted(name: string): string {
  if (name.length <= namedAtMost) return JSON.stringify(name);
  return `that begins with ${JSON.stringify(name.slice(0, namedAtMost).toWellFormed())}`;
}
