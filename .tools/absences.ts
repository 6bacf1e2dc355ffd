import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const absence = /^\s*await expect\((.*?)(?:, (?:'.*'|`.*`))?\)\.(?:not\.|toBeHidden\(|toHaveCount\(0\))/;
const presence = /\bexpect\b|\b\w*[hH]eld\w*\(|\.ready\(|\.waitFor\(/;
/** Where a block begins or ends. */
const block = /\{$|^\s*[}\])]/;
/** A new page has nothing yet, so opening one does not prove that anything was there. */
const opening = /\.(open|goto|goTo|reload)\(/;

/**
 * The lines of a journey's source that assert that something is not there, but may run before its cause: they pass on
 * an empty page too. One that proves it names what the journey has used before, follows an assertion that something is
 * there, or one of the two statements before it uses the same part of the page.
 */
export function unprovenAbsences(source: string): number[] {
  const statements = statementsOf(source);
  return statements.flatMap(({ text, line }, index) => {
    const [, what] = absence.exec(text) ?? [];
    if (what === undefined) return [];
    const start = statements.findLastIndex((each, at) => at < index && /^ {0,4}test(\.only)?\(/.test(each.text));
    const before = statements
      .slice(Math.max(0, start), index)
      .filter(({ text }) => !absence.test(text) && !block.test(text));
    const recent = before.slice(-2);
    const part = what.replace(/\.\w+(\(.*)?$/, '.');
    const isProven =
      before.some((each) => each.text.includes(what)) ||
      presence.test(before.at(-1)?.text ?? '') ||
      recent.some((each) => each.text.includes(part) && !opening.test(each.text));
    return isProven ? [] : [line];
  });
}

/** In formatted code, a statement ends at the line with its indentation. */
function statementsOf(source: string): { text: string; line: number }[] {
  const statements: { text: string; line: number }[] = [];
  let end: string | undefined;
  for (const [index, text] of source.split('\n').entries()) {
    if (/^\s*(\/\/.*)?$/.test(text)) continue;
    const [indent = ''] = /^\s*/.exec(text) ?? [];
    if (end !== undefined) {
      statements.at(-1)!.text += `\n${text}`;
      if (indent === end) end = undefined;
      continue;
    }
    statements.push({ text, line: index + 1 });
    // the body of a test or a step has statements of its own
    if (/(?:[([]|\(\{)$/.test(text) && !/\b(?:test|step\w*)\($/.test(text)) end = indent;
  }
  return statements;
}

/** Those of all journeys, as `file:line`. */
export function allUnprovenAbsences(root: string): string[] {
  return globSync('e2e/specs/*.spec.ts', { cwd: root }).flatMap((file) =>
    unprovenAbsences(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
}
