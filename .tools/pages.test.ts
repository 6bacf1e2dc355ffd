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
      // On the site of the repository.
      .filter(([, path = '']) => !/\/(commit\/|releases$)/.test(path))
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

test('the page for operators builds the container with its health check, of which the own format of Podman has none', () => {
  expect(textOf('bff/deploy/Containerfile')).toMatch(/^HEALTHCHECK /m);
  const builds = pages.flatMap((page) => textOf(page).match(/^podman build .*/gm) ?? []);
  expect(builds).toHaveLength(1);
  expect(builds[0]).toContain(' --format docker ');
});

test('the page of all limits is what the tables of the server say', () => {
  const { stdout } = spawnSync(process.execPath, ['bff/src/core/limits/limits-page.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const page = textOf('bff/deploy/LIMITS.md');
  const written = page.split('\n');
  const said = stdout.split('\n');
  const rows = {
    missing: said.filter((line) => !written.includes(line)),
    outdated: written.filter((line) => !said.includes(line)),
  };
  expect(rows, '`npm run limits-page` writes it').toEqual({ missing: [], outdated: [] });
  expect(page === stdout, 'its rows have the order of the tables').toBe(true);
});

test('the README, the build and the linter name the same oldest browsers', () => {
  const [, target = ''] = /target: \[(.*)\]/.exec(textOf('web/vite.config.ts')) ?? [];
  const [chrome, edge, ...others] = [...target.matchAll(/'([a-z]+)(\d+)'/g)].map(([, name = '', version]) => ({
    name: name.charAt(0).toUpperCase() + name.slice(1),
    version,
  }));
  expect(chrome?.version).toBe(edge?.version);
  const names = [{ name: 'Chrome/Edge', version: chrome?.version }, ...others];
  const named = names.map(({ name, version }) => `${name} ${version}`).join(', ');
  expect(textOf('README.md')).toContain(`for ${named} and newer`);
  expect(textOf('.oxlintrc.json')).toContain(`the oldest browsers have: ${named}.`);
});

/** What is in code marks: paths that end with the name of a file or with `/`, and names of the code. */
const marksIn = (page: string) =>
  [
    ...textOf(page)
      .replaceAll(/```[\s\S]*?```/g, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, mark = '']) => mark);

const walks = ['web/README.md', 'bff/README.md', 'bff/EXTENSIONS.md'];
/** What holds, by subject. A page that grows is read by nobody. */
const decisions = ['web/DECISIONS.md', 'bff/DECISIONS.md'];

test('the walks through the code and the decisions name files and functions that exist', () => {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.stdout
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(root, file)));
  const code = files.filter((file) => /^(web|bff|e2e|\.tools)\/.*\.(ts|tsx|css)$/.test(file)).map(textOf);
  const words = new Set(code.flatMap((text) => text.match(/[\w$]+/g) ?? []));
  const isThere = (path: string) =>
    files.some((file) => (path.endsWith('/') ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`)));
  const isPath = (mark: string) => /^[\w.-]+(\/[\w.-]*)*(\.(tsx?|css|js|html|md)|\/)$/.test(mark);
  const isNamed = (mark: string) => code.some((text) => text.includes(mark));
  const missing = [
    ...walks.flatMap((page) =>
      marksIn(page)
        .filter((mark) => (isPath(mark) ? !isThere(mark) : /^[a-z]\w*[A-Z]\w*$/.test(mark) && !words.has(mark)))
        .map((mark) => `${page}: ${mark}`),
    ),
    ...decisions.flatMap((page) =>
      marksIn(page)
        .filter((mark) => (isPath(mark) ? !isThere(mark) : /^\w+$/.test(mark) ? !words.has(mark) : !isNamed(mark)))
        .map((mark) => `${page}: ${mark}`),
    ),
  ];
  expect(missing).toEqual([]);
});

test('the decisions are short, and without a date', () => {
  const sections = decisions.map((page) => textOf(page).split(/^## /m).slice(1));
  expect(Math.max(...sections.map((ofPage) => ofPage.length))).toBeLessThanOrEqual(25);
  expect(Math.max(...sections.flat().map((section) => section.trim().split('\n').length))).toBeLessThanOrEqual(60);
  expect(decisions.map(textOf).join(' ').trim().split(/\s+/).length).toBeLessThanOrEqual(8000);
  expect(decisions.filter((page) => /\d{4}-\d\d-\d\d/.test(textOf(page)))).toEqual([]);
});

test('a line of the changelog is short', () => {
  const lines = textOf('.github/CHANGELOG.md').split('\n');
  expect(lines.filter((line) => line.split(' ').length > 70)).toEqual([]);
});
