/**
 * Lets a journey hold the actions of its server at an item: with this module, the items of actions that contain the text
 * of the file `hold-actions-at` in the data folder wait until the file has another text. While one waits, that text is in
 * `held-actions-at` too. Imported before the server, this module takes the place of `capabilities/actions/kinds.ts` in app.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import type { createKinds as CreateKinds } from '../capabilities/actions/kinds.ts';

const folder = env['DATA_DIR'] ?? '.';
const [wanted, held] = [join(folder, 'hold-actions-at'), join(folder, 'held-actions-at')];
// the server's threads execute no actions, and start faster without the module
const kinds = isMainThread ? await import('../capabilities/actions/kinds.ts') : undefined;

registerHooks({
  resolve: (name, context, next) =>
    name === './capabilities/actions/kinds.ts' && context.parentURL?.endsWith('/bff/src/app.ts')
      ? { url: import.meta.url, shortCircuit: true }
      : next(name, context),
});

export function createKinds(...options: Parameters<typeof CreateKinds>) {
  const created = kinds!.createKinds(...options);
  for (const kind of Object.values(created)) {
    const { run } = kind;
    kind.run = async (turn) => {
      while (isHeld(turn.item)) await wait(10);
      return run(turn);
    };
  }
  return created;
}

function isHeld(item: object) {
  const text = existsSync(wanted) ? readFileSync(wanted, 'utf8') : '';
  if (text === '' || !JSON.stringify(item).includes(text)) return false;
  writeFileSync(held, text);
  return true;
}
