import { expect, test } from 'vitest';
import { plainSentence } from './notify.ts';

const entry = { id: 7, at: '2026-01-02T03:04:05.678Z', actor: '(server)' };

test('a notification says what happened in one plain sentence, also with a name like a placeholder', () => {
  const resource = { id: 'd', name: '{swarm} <b>', user_id: 'ann' };
  expect(plainSentence({ ...entry, kind: 'resource.silent', resource }, 'ann')).toBe('{swarm} <b> is silent');
  expect(plainSentence({ ...entry, kind: 'resource.silent', amount: 412, detail: 'A, B, …' }, 'ann')).toBe(
    '412 devices are silent: A, B, …',
  );
  const invited = { kind: 'invitation.sent' as const, actor: 'bob', swarm: { id: 's', name: 'Harbour' } };
  expect(plainSentence({ ...entry, ...invited, resource, detail: 'producer' }, 'ann')).toBe(
    'bob invited {swarm} <b> to Harbour as producer',
  );
});
