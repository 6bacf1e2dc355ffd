/** Real tools on the OpenAPI document: two linters, and the typed client of bff/README.md. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpServer, type HttpTestServer } from './http-server.fixture.ts';
import { signUpOverHttp } from './http-users.fixture.ts';
import { temporaryDataDir } from './process.fixture.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

let server: HttpTestServer;
let text: string;
beforeAll(async () => {
  server = await startHttpServer();
  text = await (await fetch(`${server.url}/service/openapi.json`)).text();
});
afterAll(() => server[Symbol.asyncDispose]());

test('the linter of Redocly finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('the linter Spectral finds nothing', async () => {
  const linter = new spectral.Spectral();
  // This server has no e-mail address to contact.
  const ruleset = { extends: [[oas, 'all']], rules: { 'contact-properties': 'off' } };
  linter.setRuleset(ruleset as unknown as Parameters<typeof linter.setRuleset>[0]);
  const problems = await linter.run(text);
  expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
});

/** A folder with the generated types, as a user of the API has it. Its programs find the packages of this one. */
async function projectFolder() {
  const folder = temporaryDataDir();
  const types = astToString(await openapiTypescript(text));
  mkdirSync(join(folder.dataDir, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(root, 'bff/node_modules/openapi-fetch'), join(folder.dataDir, 'node_modules/openapi-fetch'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder.dataDir, 'node_modules/@types/node'));
  writeFileSync(join(folder.dataDir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder.dataDir, 'service-api.d.ts'), types);
  return { ...folder, path: (name: string) => join(folder.dataDir, name) };
}

/** The errors of the compiler in this file; empty for none. */
async function compile(file: string): Promise<string> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
  const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--allowImportingTsExtensions'];
  const compiler = join(root, 'node_modules/.bin/tsc');
  return run(compiler, [...strict, ...modules, file], { cwd: dirname(file) }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test('the story of two users runs as it is printed in the README, with the generated types', async () => {
  const readme = readFileSync(join(root, 'bff/README.md'), 'utf8');
  const [, story = ''] = /\n## The same with a typed client\n.*?\n```ts\n(.*?)\n```\n/s.exec(readme) ?? [];
  using folder = await projectFolder();
  const file = folder.path('story.ts');
  writeFileSync(file, story);
  expect(await compile(file)).toBe('');
  const [ann, ben] = await Promise.all(['ann', 'ben'].map((name) => signUpOverHttp(server.url, name)));
  const key = (user: typeof ann) => user!.proof.device['x-serviceapikey']!;
  const env = { BASE: `${server.url}/service`, ANN: key(ann), BEN: key(ben) };
  const { stdout } = await run(process.execPath, [file], { env });
  expect(stdout.trimEnd().split('\n')).toEqual([
    'one invitation: true',
    'members: 0 hidden',
    'members: 1 visible',
    'error: You do not have permission to perform this operation on the resource',
    'export: Harbour hub undefined',
    'Ben received: Harbour hub created, ann invites',
  ]);
});

test('the generated types reject what the service rejects', async () => {
  using folder = await projectFolder();
  const file = folder.path('wrong.ts');
  const lines = [
    `import type { components, operations } from './service-api.d.ts';`,
    `type Schemas = components['schemas'];`,
    `type Format = NonNullable<NonNullable<operations['exportResources']['parameters']['query']>['format']>;`,
    `export const whole: Schemas['ResourceUpdate'] = { position: { longitude: 1, latitude: 2 } };`,
    `export const half: Schemas['ResourceUpdate'] = { position: { longitude: 1 } };`,
    `export const code: Schemas['Problem']['code'] = 'resource.lost';`,
    `export const format: Format = 'kml';`,
    `export const anyEvent = (event: Schemas['Event']) => event.data.public;`,
    `export const swarm = (event: Schemas['Event']) => (event.type === 'swarm.created' ? event.data.public : false);`,
  ];
  writeFileSync(file, lines.join('\n'));
  const errors = await compile(file);
  expect([...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual([5, 6, 7, 8]);
});
