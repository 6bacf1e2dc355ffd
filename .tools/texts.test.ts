import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './run.ts';
import { add, exported, importFrom, list } from './texts.ts';

const mails = 'bff/src/capabilities/addresses/mail-texts.ts';

/** A copy of the texts, in which the commands run. */
function copyTexts(): (path: string) => string {
  const copy = mkdtempSync(join(tmpdir(), 'texts-'));
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    rmSync(copy, { recursive: true });
  });
  for (const path of ['web/src/text', mails]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  process.chdir(copy);
  return (path) => readFileSync(path, 'utf8');
}

test('nothing is missing in German', () => {
  copyTexts();
  expect(list('de')).toEqual([]);
});

test('a new language has English texts that are marked, and none is once a translator has sent all', () => {
  const read = copyTexts();
  add('fr');
  expect(list('fr').length).toBeGreaterThan(1600);
  expect(list('fr').every((line) => line.startsWith('untranslated: '))).toBe(true);
  expect(read('web/src/text/fr/members.ts')).toContain("table: /* untranslated */ 'Members',");
  expect(read('web/src/text/fr/plural.ts')).toContain("createPlural('fr')");
  expect(read('web/src/text/fr/city-names.ts')).toContain("'DE Köln': /* untranslated */ 'Cologne'");
  expect(read('web/src/text/fr/push.ts')).toContain("/* untranslated */ 'New invitation'");
  expect(read(mails)).toContain("operator: /* untranslated */ 'the operator of the server'");

  const xliff = exported('fr');
  expect(xliff.match(/<trans-unit /g)).toHaveLength(list('fr').length);
  const sent = xliff
    .replaceAll('state="needs-translation"', 'state="translated"')
    .replaceAll(/<target ([^>]*)>Members</g, '<target $1>Membres de l’&quot;essaim&quot; &amp; co<');
  expect(importFrom('fr', sent)).toEqual([]);
  expect(list('fr')).toEqual([]);
  expect(read('web/src/text/fr/members.ts')).toContain('table: "Membres de l’\\"essaim\\" & co",');
  expect(read('web/src/text/fr/members.ts')).toContain('sort_by: (order: string) => `Sort by: ${order}`');
  // German is as it was
  expect(list('de')).toEqual([]);
});

test('what a translator has not done stays marked, a text that is gone is reported, and one that is missing is listed', () => {
  const read = copyTexts();
  add('fr');
  const before = list('fr').length;
  const unit = (id: string, state: string) =>
    `<trans-unit id="${id}"><target state="${state}">Nom</target></trans-unit>`;
  const units = [unit('members.ts members.sort.name', 'translated'), unit('members.ts members.gone', 'final')];
  expect(importFrom('fr', [...units, unit('members.ts members.add', 'needs-translation')].join('\n'))).toEqual([
    'members.ts members.gone',
  ]);
  expect(list('fr')).toHaveLength(before - 1);
  const german = 'web/src/text/de/members.ts';
  writeFileSync(german, read(german).replace("  filters: 'Filter',\n", ''));
  expect(list('de')).toEqual(['missing: members.ts members.filters']);
});
