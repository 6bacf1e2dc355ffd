/** Lets a journey see recorded values at once: with this module, the server reads them from messages all the time. Imported before the server. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { valueJob } = await import('../capabilities/values/limits.ts');
  Object.assign(valueJob, { everyMs: 100 });
}
