import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

export const root = dirname(import.meta.dirname);

interface Finished {
  code: number;
  output: string;
  seconds: number;
}

/** Runs a command and returns its output; `loud` also prints it. */
export function run(options: { command: string; args: string[]; env?: NodeJS.ProcessEnv; loud?: boolean }) {
  const { command, args, env = process.env, loud = false } = options;
  const started = performance.now();
  return new Promise<Finished>((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (loud) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => resolve({ code: code ?? 1, output, seconds: (performance.now() - started) / 1000 }));
  });
}
