import { expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';
import { send } from '../../data/client.ts';
import { ChangeEnd } from './change-end.tsx';

test('an end that the server rejects is an error of its field', async () => {
  await loadTexts('en');
  const errors = [{ pointer: '/ends_at', code: 'field.out_of_range', detail: 'must be in the future' }];
  const problem = {
    type: 'about:blank',
    title: '',
    status: 400,
    code: 'body.invalid',
    detail: '',
    request_id: '',
    errors,
  };
  const headers = { 'content-type': 'application/problem+json', 'x-swarmdeck': '1' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(problem), { status: 400, headers }));
  const { container, submit, unmount } = await mountPart(
    <ChangeEnd
      title="End"
      text=""
      latest={undefined}
      send={() => send({ path: '/api/x', method: 'PUT', body: {} })}
      change={{ type: 'swarm.updated', data: {} } as never}
      onClose={() => {}}
    />,
  );
  await submit();
  const field = () => container.querySelector('select')!;
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
  expect(container.textContent).toContain(t.problems['field.ends_at']);
  expect(container.textContent).not.toContain(t.problems['body.invalid']);
  await unmount();
});
