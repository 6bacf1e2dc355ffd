import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.ts';

const pages = spawnSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

test('links of the pages lead to files and headings that exist', () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      // A commit, on the site of the repository.
      .filter(([, path = '']) => !path.includes('/commit/'))
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return true;
        const headings = [...textOf(target).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));
        return anchor !== undefined && !headings.includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the README has at most 900 words', () => {
  expect(textOf('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});
