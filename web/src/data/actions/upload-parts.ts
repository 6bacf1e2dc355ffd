import type { Action, ActionItem } from '@swarmdeck/bff/contract';
import { actionLimits } from '@swarmdeck/bff/field-rules';
import { send } from '../client.ts';
import { pathTo } from '../path-to.ts';
import { isPutOff, ProblemError } from '../problem.ts';

interface UploadPartsOptions {
  id: string;
  items: readonly ActionItem[];
  signal: AbortSignal;
  onProgress(done: number): void;
}

/** Uploads the items of an action in parts, and starts it. `onProgress`: how many have been uploaded. */
export async function uploadParts({ id, items, signal, onProgress }: UploadPartsOptions): Promise<Action> {
  for (let from = 0; from < items.length; from += actionLimits.part) {
    const part = items.slice(from, from + actionLimits.part);
    const path = pathTo('/api/actions/:id/parts/:part', { id, part: String(from / actionLimits.part) });
    await persistently(() => send({ method: 'PUT', path, body: { items: part }, signal }), signal);
    onProgress(from + part.length);
  }
  const { data } = await send<Action>({ method: 'POST', path: pathTo('/api/actions/:id/start', { id }), signal });
  onProgress(0);
  return data;
}

/** Sends it again while the server cannot be reached, or asks to wait. */
async function persistently<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const seconds = error instanceof ProblemError ? (error.retryAfter ?? 3) : 3;
      if (!isPutOff(error) || tries === 5 || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}
