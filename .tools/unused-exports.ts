import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

/** The code of all files, by their paths from the root. */
type CodeOf = ReadonlyMap<string, string>;

/** The code of the server, the app, the journeys and the tools, which import each other's types. */
export function readCode(root: string): CodeOf {
  const files = globSync(['{bff,web}/**/*.{ts,tsx}', 'e2e/**/*.ts', '.tools/*.{ts,mjs}', '.*.ts'], {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/**
 * The exports that no other file imports, as `file: name`. `packages`: the file of each name of our packages, such as
 * `@swarmdeck/bff/contract`.
 */
export function unusedExports(codeOf: CodeOf, packages: Readonly<Record<string, string>>): string[] {
  const targetOf = (file: string, from: string) => (from.startsWith('.') ? join(file, '..', from) : packages[from]);
  /** The names that other files take of each file. */
  const taken = new Map<string, Set<string>>([...codeOf.keys()].map((file) => [file, new Set()]));
  const passedOn: { by: string; of: string }[] = [];
  for (const [file, code] of codeOf) {
    for (const { groups = {} } of code.matchAll(statement)) {
      const target = targetOf(file, groups['from'] ?? groups['whole'] ?? groups['lazy'] ?? groups['all'] ?? '');
      const names = target === undefined ? undefined : taken.get(target);
      if (target === undefined || names === undefined) continue;
      if (groups['all']) passedOn.push({ by: file, of: target });
      // Of a module that is imported as a whole, its importer names what it uses.
      const listed = groups['from'] === undefined ? code.matchAll(/\w+/g) : (groups['names'] ?? '').matchAll(imported);
      for (const [name] of listed) names.add(name);
    }
  }
  // `export *` twice in a row, at most.
  for (const { by, of } of [...passedOn, ...passedOn]) for (const name of taken.get(by)!) taken.get(of)!.add(name);
  return [...codeOf].flatMap(([file, code]) =>
    [...code.matchAll(exported)]
      .map(([, name = '']) => name)
      .filter((name) => !taken.get(file)!.has(name))
      .map((name) => `${file}: ${name}`),
  );
}

const exported =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum|namespace) ([A-Za-z_$][\w$]*)/gm;
/** A name that is imported, without the one that it gets. */
const imported = /(?<!\bas )\b(?!type |as )[A-Za-z_$][\w$]*/g;
const statement =
  /^(?:import|export) (?:type )?(?:\w+, )?\{(?<names>[^}]*)\} from '(?<from>[^']+)'|^import (?:type )?\* as \w+ from '(?<whole>[^']+)'|\bimport\('(?<lazy>[^']+)'\)|^export (?:type )?\* from '(?<all>[^']+)'/gm;
