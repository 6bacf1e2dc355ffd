import { afterEach, expect, test, vi } from 'vitest';
import { ProblemError } from '../../api/problem.ts';
import { sendAnswer } from './answer.api.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([undefined, 'k'])('withdrawing an invitation that does not exist fails (key %s)', async (key) => {
  const problem = { type: '', title: '', status: 404, detail: '', code: 'invitation.not_found', request_id: '' };
  const headers = { 'content-type': 'application/problem+json' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(problem), { status: 404, headers }));
  const item = { id: 'i1', resource_id: 'r1', swarm_id: 's1' };
  await expect(sendAnswer({ item, answer: 'withdraw', keepalive: false, ...(key && { key }) })).rejects.toThrow(
    ProblemError,
  );
});
