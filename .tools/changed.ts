import { spawnSync } from 'node:child_process';
import { root } from './run.ts';

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The commit that the work began at: where this branch left main, or the last commit of main itself. */
export function baseCommit(): string {
  const bases = ['origin/main', 'main'].map((branch) => git('merge-base', 'HEAD', branch));
  const head = git('rev-parse', 'HEAD');
  return bases.find((base) => base !== undefined && base !== head) ?? 'HEAD';
}

/** The files that differ from a commit, also those that git does not know yet. From the root. */
export function changedFiles(base: string): string[] {
  const changed = git('diff', '--name-only', '--diff-filter=d', base) ?? '';
  const added = git('ls-files', '--others', '--exclude-standard') ?? '';
  return [...changed.split('\n'), ...added.split('\n')].filter((name) => name !== '');
}
