import { expect, test, vi } from 'vitest';
import type { ActivityPage } from '@swarmdeck/bff/contract';
import { readActivityFile } from './activity.api.ts';

test('no cell of the exported log is a formula, also behind a separator of another language', async () => {
  const entry = {
    id: 1,
    at: '2026-01-02T03:04:05.678Z',
    kind: 'resource.renamed',
    actor: 'ann',
    resource: { id: 'd1', name: 'x;=cmd', user_id: 'ben' },
    swarm: { id: 's1', name: '=Harbour' },
    detail: 'a\t@cmd',
  };
  const page = { items: [entry], next: null, unread: 0 } as unknown as ActivityPage;
  vi.stubGlobal('fetch', async () => Response.json(page));
  const [, line] = await readActivityFile({});
  expect(line).toBe(`2026-01-02T03:04:05.678Z,resource.renamed,ann,d1,"x;'=cmd",ben,s1,'=Harbour,"a\t'@cmd"\r\n`);
});
