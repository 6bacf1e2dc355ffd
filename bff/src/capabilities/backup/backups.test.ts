import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { createLog } from '../../core/log.ts';
import { createBackups, findNewestBackup } from './backups.ts';

const startedAt = Date.parse('2026-01-01T00:00:00.000Z');

/** `program`: what is run instead of the operator's commands. It has the variables `command` and `file`. */
function createContext({ program = 'fs.writeFileSync(file, command)' } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'swarmdeck-'));
  const folder = join(parent, 'backups');
  mkdirSync(folder);
  const script = join(parent, 'program.cjs');
  const setProgram = (text: string) =>
    writeFileSync(script, `const fs = require('node:fs'); const [, , command, file] = process.argv; ${text}`);
  setProgram(program);
  let time = startedAt;
  const lines: string[] = [];
  const now = () => new Date(time);
  const log = createLog({ level: 'info', now, write: (line) => lines.push(line) });
  const backups = createBackups({ plan: { folder, everyMs: dayMs, keep: 3 }, program: script, log, now });
  return {
    folder,
    lines,
    backups,
    setProgram,
    wait: (ms: number) => void (time += ms),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true }),
  };
}

test('the hourly job makes a backup when the last one is old, and deletes only the oldest ones', async () => {
  using context = createContext();
  const { folder, backups, wait } = context;
  writeFileSync(join(folder, 'of-the-operator.db'), '');
  writeFileSync(join(folder, 'swarmdeck-2025-01-01T00-00-00Z.db.part'), '');
  for (let hours = 0; hours < 24 * 5; hours++) {
    await backups.makeIfDue();
    wait(hourMs - 1000);
  }
  expect(readdirSync(folder).toSorted()).toEqual([
    'of-the-operator.db',
    'swarmdeck-2026-01-02T23-59-12Z.db',
    'swarmdeck-2026-01-03T23-58-48Z.db',
    'swarmdeck-2026-01-04T23-58-24Z.db',
  ]);
  const last = { file: join(folder, 'swarmdeck-2026-01-04T23-58-24Z.db'), at: new Date('2026-01-04T23:58:24.000Z') };
  expect(readFileSync(last.file, 'utf8')).toBe('backup');
  expect(await backups.status()).toMatchObject({ last, failure: undefined });
  expect(await findNewestBackup(folder)).toEqual(last);
});

test('a failed backup has a reason, deletes nothing, and is tried again by the next hourly job', async () => {
  using context = createContext();
  const { folder, backups, lines, wait } = context;
  await backups.makeIfDue();
  const [first] = readdirSync(folder);
  context.setProgram('process.stderr.write("the disk is full\\n"); process.exitCode = 1');
  wait(dayMs);
  await backups.makeIfDue();
  const last = { file: join(folder, first!), at: new Date(startedAt) };
  expect(await backups.status()).toMatchObject({ last, failure: 'the disk is full' });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'info', message: 'backup written', file: last.file },
    { level: 'error', message: 'the backup failed', error: 'the disk is full' },
  ]);

  context.setProgram('fs.writeFileSync(file, command)');
  wait(hourMs);
  await backups.makeIfDue();
  expect(await backups.status()).toMatchObject({ last: { at: new Date(startedAt + 25 * hourMs) }, failure: undefined });
  expect(readdirSync(folder)).toContain(first);

  rmSync(folder, { recursive: true });
  await backups.makeIfDue();
  expect(await backups.status()).toMatchObject({ last: undefined, failure: expect.stringContaining('ENOENT') });
});

test('a backup that is being made ends when the server stops', async () => {
  using context = createContext({ program: 'setInterval(() => {}, 1000)' });
  const { backups, lines } = context;
  const made = backups.makeIfDue();
  await backups.close();
  await made;
  expect(lines).toEqual([]);
});

test('without a plan there is nothing', async () => {
  const log = createLog({ level: 'info', now: () => new Date(), write: () => {} });
  const backups = createBackups({ plan: undefined, program: '', log, now: () => new Date() });
  await backups.makeIfDue();
  expect(await backups.status()).toBeUndefined();
});
