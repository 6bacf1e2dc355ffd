import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { misplacedWords, wordRules } from './words.ts';

test('the project breaks no word rule', () => {
  expect(misplacedWords({ root: dirname(import.meta.dirname) })).toEqual([]);
});

test.each(wordRules)('the example of the rule is reported: $why', (rule) => {
  const root = mkdtempSync(join(tmpdir(), 'swarmdeck-words-'));
  try {
    const path = join(root, rule.example.at);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `\n${rule.example.line}\n`);
    expect(misplacedWords({ root, rules: [rule] })).toEqual([
      `${rule.example.at}:2 ${rule.why}: ${rule.example.line.trim()}`,
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
