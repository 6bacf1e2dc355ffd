import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst, type Plugin } from 'vite';
import { laterDeviceParts, laterParts } from './chunks.ts';
import { texts as english } from './src/text/en/index.ts';
import { isNode, leavesOf, pathsReadIn, shows, type Node, type Path } from './text-reads.ts';

const root = join(import.meta.dirname, 'src');
/** What home shows at first: the entry, its map, and its sheet on a phone. */
const first = [
  'main.tsx',
  'routes/home.tsx',
  'features/devices/home/home-phone.tsx',
  'features/map/device-map.tsx',
  'features/map/frame/box-select.ts',
  'features/map/tiles/map-tiles.tsx',
].map((file) => join(root, file));
export const languages = globSync('text/*/index.ts', { cwd: root }).map((path) => path.split('/')[1]!);

/** What home has no room for at first, and all other code needs: its code does without (`problemSentence`, `commandText`). */
const common = ['problems', 'commands'];
const leaves = leavesOf(english);

/** Of a module of texts: `account.ts?texts=routes~sign-in` has those of `account.ts` that the group needs. */
const query = '?texts=';
const parse = (code: string) => parseAst(code, { lang: 'tsx' });

interface Module {
  read: readonly Path[];
  imports: readonly string[];
}

/** What a module reads and imports, without types. */
function moduleAt(file: string): Module {
  const program = parse(readFileSync(file, 'utf8'));
  const imports = (program.body as unknown as Node[]).flatMap(({ source, importKind, exportKind }) => {
    const path = isNode(source) && importKind !== 'type' && exportKind !== 'type' ? String(source.value) : '';
    return /^\..*\.tsx?$/.test(path) ? [join(dirname(file), path)] : [];
  });
  return { read: pathsReadIn(program), imports };
}

/** Finds the texts of code that is loaded together. */
function createGroups() {
  const modules = new Map<string, Module>();
  const groups = new Map<string, ReadonlySet<string>>();

  /** The texts that the files read, and all that they import. */
  function textsOf(files: readonly string[]): Path[] {
    const loaded = new Set(files);
    const read: Path[] = [];
    for (const file of loaded) {
      const module = modules.get(file) ?? moduleAt(file);
      modules.set(file, module);
      read.push(...module.read);
      for (const to of module.imports) loaded.add(to);
    }
    return leaves.filter((leaf) => !common.includes(leaf[0]!) && read.some((path) => shows(path, leaf)));
  }

  function find(group: string): readonly Path[] {
    if (group === 'first') return textsOf(first);
    if (group === 'common') return leaves.filter(([name]) => common.includes(name!));
    const isOfGroup = (file: string) => !/\.(test|fixture)\./.test(file) && groupOf(join(root, file)) === group;
    const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(isOfGroup);
    return textsOf(files.map((file) => join(root, file))).filter((leaf) => !of('first').has(leaf.join('\n')));
  }

  /** The paths of its texts, and of all that has one of them. */
  function of(group: string): ReadonlySet<string> {
    const known =
      groups.get(group) ??
      new Set(find(group).flatMap((leaf) => leaf.map((_, at) => leaf.slice(0, at + 1).join('\n'))));
    groups.set(group, known);
    return known;
  }
  return { of };
}

/** The parts that every page loads later share one, and so do those of home. No `/` or `.`: Vite would take it for a path. */
function groupOf(file: string): string {
  const name = file.slice(root.length + 1).replace(/\.\w+$/, '');
  if (laterParts.test(file)) return 'later';
  return laterDeviceParts.test(file) ? 'later-devices' : name.replaceAll(/[/.]/g, '~');
}

/** By the modules of a language, in `index.ts`: by what they export, the keys of `texts`. */
function keysIn(language: string): Map<string, Map<string, string>> {
  const code = readFileSync(join(root, 'text', language, 'index.ts'), 'utf8');
  const keys = new Map([...code.matchAll(/^ {2}(\w+)(?:: (\w+))?,$/gm)].map(([, key = '', name = key]) => [name, key]));
  const imports = code.matchAll(/^import \{ (.+) \} from '\.\/(.+)';$/gm);
  return new Map(
    [...imports].map(([, names = '', file = '']) => [
      file,
      new Map(names.split(', ').map((name) => [name, keys.get(name)!])),
    ]),
  );
}

function indexOf(language: string, group: string, texts: ReadonlySet<string>): string {
  const modules = [...keysIn(language)].map(([file, keys]) => ({
    file,
    entries: [...keys].filter(([, key]) => texts.has(key)),
  }));
  const used = modules.filter(({ entries }) => entries.length > 0);
  const imports = used.map(
    ({ file, entries }) => `import { ${entries.map(([name]) => name).join(', ')} } from './${file}${query}${group}';`,
  );
  const keys = used.flatMap(({ entries }) => entries.map(([name, key]) => `${key}: ${name}`));
  return `${imports.join('\n')}\nexport const texts = { ${keys.join(', ')} };`;
}

/** The code of a module of texts, without those that are not in `texts`. */
function slice(code: string, keys: ReadonlyMap<string, string>, texts: ReadonlySet<string>): string {
  const objects = new Map<string, Node>();
  for (const statement of parse(code).body as unknown as Node[]) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations as { id: Node; init: Node }[]) {
      const value = isNode(init.expression) ? init.expression : init;
      if (value.type === 'ObjectExpression') objects.set(String(id.name), value);
    }
  }
  const cuts: { from: number; to: number }[] = [];
  /** An object that has a name is cut if nothing else uses it. */
  const objectOf = (value: Node) => {
    if (value.type === 'ObjectExpression') return value;
    const uses = code.match(new RegExp(`\\b${String(value.name)}\\b(?!:)`, 'g')) ?? [];
    return value.type === 'Identifier' && uses.length === 2 ? objects.get(String(value.name)) : undefined;
  };
  const cut = (object: Node, at: Path) => {
    for (const property of object.properties as (Node & { key: Node; value: Node; start: number; end: number })[]) {
      if (property.type !== 'Property') continue;
      const path = [...at, String(property.key.name ?? property.key.value)];
      const inner = objectOf(property.value);
      if (!texts.has(path.join('\n'))) {
        const comma = /^\s*,/.exec(code.slice(property.end))?.[0].length ?? 0;
        cuts.push({ from: property.start, to: property.end + comma });
      } else if (inner) cut(inner, path);
    }
  };
  for (const [name, key] of keys) cut(objects.get(name)!, [key]);
  let kept = '';
  let end = 0;
  for (const { from, to } of cuts.toSorted((one, other) => one.from - other.from)) {
    kept += code.slice(end, from);
    end = to;
  }
  return kept + code.slice(end);
}

/**
 * Divides the texts: code is loaded with those that it shows. Those of home's first view are `first`. Each other import of code
 * that shows texts also loads a module with them, in the language of the page (`withTexts` of `text/text.ts`).
 */
export function texts(): Plugin {
  let groups = createGroups();
  return {
    name: 'texts',
    apply: 'build',
    // after the paths of `import.meta.glob` have become imports
    enforce: 'post',
    buildStart() {
      groups = createGroups();
    },
    load: {
      filter: { id: /\/text\/[\w-]+\/[\w-]+\.ts\?texts=/ },
      handler(id) {
        const [file = '', group = ''] = id.split(query);
        const [language = '', name = ''] = file.split('/').slice(-2);
        const wanted = groups.of(group);
        if (name === 'index.ts') return indexOf(language, group, wanted);
        return slice(readFileSync(file, 'utf8'), keysIn(language).get(name)!, wanted);
      },
    },
    transform: {
      filter: { id: /\/web\/src\/[^?]+\.tsx?$/, code: /import\(/ },
      handler(code, id) {
        const found: { start: number; end: number; group: string }[] = [];
        const visit = (value: unknown): void => {
          if (Array.isArray(value)) value.forEach(visit);
          if (!isNode(value)) return;
          const path = value.type === 'ImportExpression' && isNode(value.source) ? String(value.source.value) : '';
          const group = /^\..*\.tsx?$/.test(path) && !path.includes('/text/') ? groupOf(join(dirname(id), path)) : '';
          if (group && groups.of(group).size > 0)
            found.push({ start: Number(value.start), end: Number(value.end), group });
          Object.values(value).forEach(visit);
        };
        visit(this.parse(code));
        if (found.length === 0) return null;
        const textsOf = (group: string) =>
          languages.map(
            (name) => `'${name}': () => import(${JSON.stringify(`${root}/text/${name}/index.ts${query}${group}`)})`,
          );
        let changed = code;
        for (const { start, end, group } of found.toReversed()) {
          const wrapped = `withTexts(${code.slice(start, end)}, { ${textsOf(group).join(', ')} })`;
          changed = changed.slice(0, start) + wrapped + changed.slice(end);
        }
        return { code: `import { withTexts } from '${root}/text/text.ts';\n${changed}`, map: null };
      },
    },
  };
}
