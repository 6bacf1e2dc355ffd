import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.ts';
import { moveUnreleased } from './version.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n- Maps.\n\n## 1.0.0 (2026-11-23)\n\nLists.\n';

test('one command raises the version, moves the changelog, and makes a commit with a tag', () => {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-version-'));
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout.trim();
  };
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<'version', string>;
  };
  const script = scripts.version.replaceAll('.tools/', `${root}/.tools/`);
  const manifest = { name: 'swarmdeck', version: '1.0.0', scripts: { version: script } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  mkdirSync(join(folder, '.github'));
  writeFileSync(join(folder, '.github/CHANGELOG.md'), changelog);
  run('git', 'init', '--quiet');
  run('git', 'config', 'user.name', 'ann');
  run('git', 'config', 'user.email', 'ann@example.org');
  run('git', 'add', '.');
  run('git', 'commit', '--quiet', '--message', 'all');

  run('npm', 'version', 'minor', '--message', 'chore: release %s');
  expect(run('git', 'status', '--porcelain')).toBe('');
  expect(run('git', 'log', '-1', '--format=%s %D')).toMatch(/^chore: release 1\.1\.0 HEAD -> \w+, tag: v1\.1\.0$/);
  expect(run('git', 'show', 'v1.1.0:package.json')).toContain('"version":"1.1.0"');
  expect(run('git', 'show', 'v1.1.0:.github/CHANGELOG.md')).toMatch(
    /## Unreleased\n\n## 1\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- Maps\.\n\n## 1\.0\.0 /,
  );
  rmSync(folder, { recursive: true });
});

test('a version without a line in the changelog is refused', () => {
  const moved = moveUnreleased(changelog, '1.1.0', '2026-12-01');
  expect(() => moveUnreleased(moved, '1.2.0', '2026-12-02')).toThrow('nothing under "Unreleased"');
});
