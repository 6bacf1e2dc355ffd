import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a line for the shell. `curl` and `mosquitto_pub` are the tests' stand-ins, since not every machine has them. */
export async function runLine(line: string): Promise<string> {
  const standIns = ['tests', 'capabilities/mqtt'].map((of) => join(import.meta.dirname, '../bff/src', of, 'bin'));
  const path = [...standIns, dirname(process.execPath), process.env['PATH']].join(':');
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, PATH: path } });
  return stdout;
}
