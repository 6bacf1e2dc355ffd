/**
 * `npm run texts -- COMMAND`: the texts of a language, those of pushed notices, mails and places among them.
 *
 * - `list de [REVISION]`: what is missing or marked as untranslated; and what has changed in English since a revision, and not in it
 * - `add fr`: a language in which English stands for every text, marked as untranslated
 * - `export fr FILE`, `import fr FILE`: XLIFF 1.2, for editors of translators. What they have translated is no longer marked.
 *
 * A text with parameters is a function: its unit is TypeScript, and what was imported is read as code before it is committed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAst } from 'vitest/node';

const folder = 'web/src/text';
const mails = 'bff/src/capabilities/addresses/mail-texts.ts';
const mark = '/* untranslated */';

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Text {
  /** Its file and its keys. */
  id: string;
  /** Where it is in the file. */
  start: number;
  end: number;
  /** As translators read it: the text, or code. */
  value: string;
  isCode: boolean;
  isMarked: boolean;
}

const withoutTypes = (node: Node): Node =>
  /^TS(As|Satisfies)/.test(node.type) ? withoutTypes(node.expression as Node) : node;

/** The texts of a module: all values of its constants. */
function textsIn(file: string, code: string): Text[] {
  const found: Text[] = [];
  const visit = (value: Node, path: string[]): void => {
    const node = withoutTypes(value);
    if (node.type === 'ObjectExpression') {
      for (const property of node.properties as (Node & { key: Node; value: Node })[]) {
        if (property.type === 'Property' && property.shorthand !== true)
          visit(property.value, [...path, String(property.key.name ?? property.key.value)]);
      }
      return;
    }
    // `createPlural`
    if (node.type === 'CallExpression') return;
    const { start, end } = node;
    const isCode = node.type !== 'Literal' || typeof node.value !== 'string';
    const text = isCode ? code.slice(start, end) : String(node.value);
    found.push({ id: `${file} ${path.join('.')}`, start, end, value: text, isCode, isMarked: isMarkedAt(code, start) });
  };
  for (const statement of parseAst(code, { lang: 'ts' }).body as unknown as Node[]) {
    const declaration = (statement.declaration ?? statement) as Node;
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations as { id: Node; init: Node | null }[])
      if (init) visit(init, [String(id.name)]);
  }
  return found;
}

const isMarkedAt = (code: string, start: number) => code.slice(0, start).trimEnd().endsWith(mark);

/** A file with texts of a language. `of`: those that are its own, by their ids in English. */
interface Source {
  path: string;
  of(texts: Text[]): Text[];
}

/** `read`: how a file is read, undefined if there is none. */
type Read = (path: string) => string | undefined;

function sourcesOf(language: string): Source[] {
  const files = globSync(`${folder}/en/*.ts`).map((path) => basename(path));
  const ofApp = files
    .filter((file) => file !== 'index.ts')
    .toSorted()
    .map((file) => ({ path: join(folder, language, file), of: (texts: Text[]) => texts }));
  const prefix = `mail-texts.ts texts.${language}.`;
  const ofMails = (texts: Text[]) =>
    texts
      .filter(({ id }) => id.startsWith(prefix))
      .map((text) => ({ ...text, id: `mail-texts.ts texts.${text.id.slice(prefix.length)}` }));
  return [...ofApp, { path: mails, of: ofMails }];
}

const readNow: Read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

function readAt(revision: string): Read {
  return (path) => {
    const { status, stdout } = spawnSync('git', ['show', `${revision}:${path}`], { encoding: 'utf8' });
    return status === 0 ? stdout : undefined;
  };
}

function textsOf(language: string, read = readNow): Map<string, Text> {
  const texts = sourcesOf(language).flatMap(({ path, of }) => {
    const code = read(path);
    return code === undefined ? [] : of(textsIn(basename(path), code));
  });
  return new Map(texts.map((text) => [text.id, text]));
}

/** A language has its own helpers, and its own names of cities. */
const mayBeMissing = (id: string) => id.startsWith('city-names.ts ') || !id.includes('.', id.indexOf(' '));

/** What there is to translate, a line each. */
export function list(language: string, revision?: string): string[] {
  const [english, translated] = [textsOf('en'), textsOf(language)];
  const missing = [...english.keys()].filter((id) => !translated.has(id) && !mayBeMissing(id));
  const marked = [...translated.values()].filter(({ isMarked }) => isMarked).map(({ id }) => id);
  return [
    ...missing.map((id) => `missing: ${id}`),
    ...marked.map((id) => `untranslated: ${id}`),
    ...(revision ? changedSince(language, revision).map((id) => `changed: ${id}`) : []),
  ];
}

/** Those of which the English has changed, and the translation has not. */
function changedSince(language: string, revision: string): string[] {
  const now = { english: textsOf('en'), translated: textsOf(language) };
  const before = { english: textsOf('en', readAt(revision)), translated: textsOf(language, readAt(revision)) };
  return [...now.english.values()]
    .filter(({ id, value }) => before.english.has(id) && before.english.get(id)!.value !== value)
    .map(({ id }) => id)
    .filter((id) => now.translated.get(id)?.value === before.translated.get(id)?.value);
}

/** Replaces texts of a file, the last one first. */
const replaced = (code: string, changes: readonly { start: number; end: number; by: string }[]) =>
  changes
    .toSorted((one, other) => other.start - one.start)
    .reduce((changed, { start, end, by }) => changed.slice(0, start) + by + changed.slice(end), code);

const marked = (file: string, code: string, texts = textsIn(file, code)) =>
  replaced(
    code,
    texts.map(({ start }) => ({ start, end: start, by: `${mark} ` })),
  );

/** Makes the files of a language. */
export function add(language: string): void {
  if (existsSync(join(folder, language))) throw new Error(`${join(folder, language)} exists`);
  mkdirSync(join(folder, language));
  for (const { path } of sourcesOf(language).slice(0, -1)) {
    const file = basename(path);
    const english = readFileSync(join(folder, 'en', file), 'utf8');
    const code = english
      .replace("createPlural('en')", `createPlural('${language}')`)
      // its type is that of the English ones
      .replace(/\nexport type (\w+) = typeof (\w+);\n/, '');
    const [, type, name] = /\nexport type (\w+) = typeof (\w+);\n/.exec(english) ?? [];
    const typed = type
      ? `import type { ${type} } from '../en/${file}';\n\n${code.replace(`const ${name} =`, `const ${name}: ${type} =`)}`
      : code;
    writeFileSync(path, marked(file, typed));
  }
  const index = readFileSync(join(folder, 'de/index.ts'), 'utf8').replaceAll('german', 'translated');
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language);
  writeFileSync(join(folder, language, 'index.ts'), index.replace('in German', `in ${name}`));
  addMails(language);
}

function addMails(language: string): void {
  const code = readFileSync(mails, 'utf8');
  const english = /\n {2}en: \{\n[^]*?\n {2}\},\n/.exec(code)![0];
  const own = english.replace('en: {', `${language}: {`);
  const end = code.indexOf('\n};', code.indexOf(english));
  const added = `${code.slice(0, end)}${own.trimEnd()}${code.slice(end)}`;
  const texts = textsIn('mail-texts.ts', added).filter(({ id }) => id.startsWith(`mail-texts.ts texts.${language}.`));
  writeFileSync(mails, marked('mail-texts.ts', added, texts));
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

export function exported(language: string): string {
  const translated = textsOf(language);
  const units = [...textsOf('en')].map(([id, { value, isCode }]) => {
    const own = translated.get(id);
    const state = own && !own.isMarked ? 'translated' : 'needs-translation';
    return [
      `      <trans-unit id="${escaped(id)}" xml:space="preserve">`,
      `        <source>${escaped(value)}</source>`,
      `        <target state="${state}">${escaped(own?.value ?? value)}</target>`,
      ...(isCode ? ['        <note>TypeScript: only what is between quotes is translated.</note>'] : []),
      '      </trans-unit>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="swarmdeck" source-language="en" target-language="${language}" datatype="plaintext">
    <body>
${units.join('\n')}
    </body>
  </file>
</xliff>
`;
}

/** Takes what is translated. Texts that the language does not have are left out, and returned. */
export function importFrom(language: string, xliff: string): string[] {
  const units = [
    ...xliff.matchAll(/<trans-unit [^>]*?id="([^"]*)"[^]*?<target(?: [^>]*?state="([^"]*)")?[^>]*>([^]*?)<\/target>/g),
  ];
  const taken = new Map(
    units
      .filter(([, , state]) => state !== 'needs-translation')
      .map(([, id = '', , text = '']) => [unescaped(id), unescaped(text)]),
  );
  for (const { path, of } of sourcesOf(language)) {
    const code = readFileSync(path, 'utf8');
    const changes = of(textsIn(basename(path), code)).flatMap(({ id, start, end, isCode }) => {
      const text = taken.get(id);
      if (text === undefined) return [];
      taken.delete(id);
      const from = isMarkedAt(code, start) ? code.lastIndexOf(mark, start) : start;
      return [{ start: from, end, by: isCode ? text : JSON.stringify(text) }];
    });
    if (changes.length > 0) writeFileSync(path, replaced(code, changes));
  }
  return [...taken.keys()];
}

if (import.meta.main) {
  const [command, language = '', argument] = process.argv.slice(2);
  const isKnown = /^[a-z]{2,3}(-[A-Za-z]+)?$/.test(language);
  if (isKnown && command === 'list') console.log(list(language, argument).join('\n'));
  else if (isKnown && command === 'add') add(language);
  else if (isKnown && command === 'export' && argument) writeFileSync(argument, exported(language));
  else if (isKnown && command === 'import' && argument) {
    const unknown = importFrom(language, readFileSync(argument, 'utf8'));
    if (unknown.length > 0) console.log(`Not in this language:\n${unknown.join('\n')}`);
  } else {
    console.error(
      'npm run texts -- list LANGUAGE [REVISION] | add LANGUAGE | export LANGUAGE FILE | import LANGUAGE FILE',
    );
    process.exitCode = 1;
  }
}
