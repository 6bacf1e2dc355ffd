import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { languages, texts } from '../../texts.plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'divided-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = texts();
const load = (plugin.load as { handler(id: string): string }).handler;

/** The paths of the texts that the build loads with some code. */
function textsWith(group: string, language: string): string[] {
  const own = join(folder, group, language);
  mkdirSync(own, { recursive: true });
  const write = (name: string) => {
    const code = load(`${import.meta.dirname}/${language}/${name}?texts=${group}`);
    for (const [, part = ''] of code.matchAll(/'\.\/([\w-]+\.ts)\?texts/g)) write(part);
    const shared = code.replaceAll(/'\.\/([\w-]+\.ts)';/g, `'${import.meta.dirname}/${language}/$1';`);
    writeFileSync(join(own, name), shared.replaceAll(`?texts=${group}`, ''));
  };
  write('index.ts');
  // Vitest would transform a module that it knows. Node runs what the build has made.
  const print = `
    import { texts } from '${join(own, 'index.ts')}';
    import { leavesOf } from '${join(import.meta.dirname, '../../text-reads.ts')}';
    console.log(JSON.stringify(leavesOf(texts).map((path) => path.join('.'))));`;
  const found = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', print], {
    encoding: 'utf8',
  });
  return JSON.parse(found) as string[];
}

test.each(['first', 'common', 'later', 'routes~sign-in', 'routes~swarm', 'features~map~names~names~draw'])(
  'the texts of %s are the same in each language, and none of them is one of the first ones',
  (group) => {
    const [found = [], ...others] = languages.map((language) => textsWith(group, language).toSorted());
    expect(found.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(found);
    const first = textsWith('first', 'en');
    if (group !== 'first') expect(found.filter((text) => first.includes(text))).toEqual([]);
  },
);

test('the sign-in page has its own texts, and none of the account page or of the devices', () => {
  const found = textsWith('routes~sign-in', 'de');
  expect(found).toContain('account.sign_in.title');
  expect(found.filter((text) => /^(device|activity|account\.keys)\./.test(text))).toEqual([]);
  expect(found.length).toBeLessThan(200);
});
