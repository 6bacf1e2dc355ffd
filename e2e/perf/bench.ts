/** `npm run bench -- NAME`: runs `NAME.bench.ts`; without a name `service`, the server against a bare one. */
import { globSync } from 'node:fs';
import { basename } from 'node:path';

const suffix = '.bench.ts';
const [name = 'service'] = process.argv.slice(2);
const names = globSync(`*${suffix}`, { cwd: import.meta.dirname }).map((file) => basename(file, suffix));
if (names.includes(name)) {
  await import(`./${name}${suffix}`);
} else {
  console.error(`There is no benchmark "${name}". There are: ${names.toSorted().join(', ')}.`);
  process.exitCode = 1;
}
