import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../../text/text.ts';
import { InviteCheck } from './invite-check-box.tsx';
import type { CheckedLine } from './invite-check.ts';

beforeAll(() => loadTexts('en'));

const line = (error: 'no_separator' | 'id_malformed') =>
  ({ line: 1, text: 'ben', role: 'producer', verdict: { kind: 'malformed', error } }) as CheckedLine;

test.each([
  ['a link leads to the links to join', line('no_separator'), { id: 's' }, '/swarms/s?tab=links'],
  ['only the text, before a swarm is chosen', line('no_separator'), undefined, undefined],
  ['nothing, if it is a code with a mistake', line('id_malformed'), { id: 's' }, null],
])('a line without a code: %s', async (_, checked, swarm, href) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  const codes = {
    checked: [checked],
    counts: { ready: 0, again: 0, left_out: 0, malformed: 1 },
    isUnchecked: false,
    edit: { setLineRole: () => {} },
  } as unknown as Parameters<typeof InviteCheck>[0]['codes'];
  await act(async () =>
    root.render(
      <MemoryRouter>
        <InviteCheck codes={codes} swarm={swarm} shown={[]} rowHeight={52} />
      </MemoryRouter>,
    ),
  );
  expect(container.textContent.includes(t.invite.create_link)).toBe(href !== null);
  expect(container.querySelector('a')?.getAttribute('href')).toBe(href ?? undefined);
  await act(async () => root.unmount());
});
