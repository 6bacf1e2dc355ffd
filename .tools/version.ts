/**
 * A step of `npm version` (CONTRIBUTING, "A release"), which has raised the version in package.json, and commits afterwards:
 * what the changelog has under "Unreleased" moves below the new version.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Throws if nothing is unreleased. */
export function moveUnreleased(changelog: string, version: string, date: string): string {
  const title = '## Unreleased\n';
  const [before, after = ''] = changelog.split(title);
  if (!/^\s*[^#\s]/m.test(after.split(/^## /m)[0] ?? ''))
    throw new Error('The changelog has nothing under "Unreleased"');
  return `${before}${title}\n## ${version} (${date})\n${after}`;
}

if (import.meta.main) {
  const file = '.github/CHANGELOG.md';
  const version = process.env.npm_package_version ?? '';
  writeFileSync(file, moveUnreleased(readFileSync(file, 'utf8'), version, new Date().toISOString().slice(0, 10)));
}
