import type { Action, Activity } from '@swarmdeck/bff/contract';
import { expect, test, vi } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ActivityBox } from './activity-box.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();
const resource = { id: 'd', name: 'Buoy', user_id: 'ann' };
const entries: Activity[] = [
  { id: 2, at: at(30), kind: 'resource.silent', actor: '(server)', resource },
  { id: 1, at: at(10), kind: 'resource.silent', actor: '(server)', resource },
];
const edit = { id: 'a', kind: 'edit', about: {}, items: [], total: 1, done: 1, failed: 0, changed: 1, undone_by: null };

test('the user’s own changes of a device are among the entries of its log, newest first', async () => {
  await loadTexts('en');
  vi.stubGlobal('fetch', async (path: string) => {
    const action = {
      ...edit,
      can_undo: true,
      state: 'ended',
      created_at: at(20),
      ended_at: at(20),
    } as unknown as Action;
    if (path.startsWith('/api/actions/history')) return Response.json({ actions: [action], next: null });
    if (path.startsWith('/api/activity')) return Response.json({ items: entries, next: null, read: 0, unread: 0 });
    return Response.json({ user_id: 'ann' });
  });
  const { container, unmount } = await mountPart(<ActivityBox filter={{ resource_id: 'd' }} />);
  const times = () => [...container.querySelectorAll('li time')].map((time) => time.getAttribute('datetime'));
  await waitFor(() => expect(times()).toEqual([at(30), at(20), at(10)]));
  await unmount();
});
