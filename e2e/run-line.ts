import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a line for the shell. `curl` is the tests' stand-in, since not every machine has it. */
export async function runLine(line: string): Promise<string> {
  const standIns = join(import.meta.dirname, '../bff/src/tests/bin');
  const path = [standIns, dirname(process.execPath), process.env['PATH']].join(':');
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, PATH: path } });
  return stdout;
}
