/**
 * A replacement for curl with the options that the README and the account page use, for machines without it: `bin/curl
 * [options] URL`. Throws on unknown options, so that new ones are noticed.
 */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean' },
    'show-error': { type: 'boolean' },
    fail: { type: 'boolean' },
    'no-buffer': { type: 'boolean', short: 'N' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});
const [url = ''] = positionals;
const answer = await fetch(url, {
  method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
  headers: (values.header ?? []).map((line): [string, string] => {
    const [name = '', ...rest] = line.split(': ');
    return [name, rest.join(': ')];
  }),
  ...(values.data !== undefined && { body: values.data }),
});
if (values.fail && !answer.ok) {
  process.stderr.write(`curl: (22) The requested URL returned error: ${answer.status}\n`);
  process.exit(22);
}
for await (const part of answer.body ?? []) process.stdout.write(part);
