import { expect, test } from 'vitest';
import type { SwarmUpdate } from '@swarmdeck/bff/contract';
import type { SwarmValues } from './swarm-form.ts';
import { checkSwarm, faultsOf } from './swarm-form.ts';
import { mergeSettings, saveSettings } from './swarm-save.ts';

const base: SwarmValues = { name: 'Harbour', description: 'Wind.', public: false };
const moved = new Error('moved');

/** A swarm on a server that knows versions, and what was sent to it. */
function server(stored: SwarmValues, version = 1) {
  const sent: SwarmUpdate[] = [];
  let values = stored;
  let at = version;
  return {
    sent,
    values: () => values,
    change(next: Partial<SwarmValues>) {
      values = { ...values, ...next };
      at += 1;
    },
    options: {
      read: async () => Promise.resolve({ values, etag: String(at) }),
      write: async ({ body, etag }: { body: SwarmUpdate; etag: string | null }) => {
        sent.push(body);
        if (etag !== String(at)) throw moved;
        values = { ...values, ...(body as Partial<SwarmValues>) };
        at += 1;
        return Promise.resolve({ etag: String(at) });
      },
      isMoved: (error: unknown) => error === moved,
    },
  };
}

test('only what changed is sent', async () => {
  const swarm = server(base);
  const mine = { ...base, public: true };
  const saved = await saveSettings({ ...swarm.options, base, mine, etag: '1' });
  expect(saved).toEqual({ kind: 'saved', read: { values: mine, etag: '2' } });
  expect(swarm.sent).toEqual([{ public: true }]);
});

test('what others changed meanwhile is kept without asking', async () => {
  const swarm = server(base);
  swarm.change({ description: 'Wind and water.' });
  const saved = await saveSettings({ ...swarm.options, base, mine: { ...base, name: 'Quay' }, etag: '1' });
  expect(saved.kind).toBe('saved');
  expect(swarm.values()).toEqual({ name: 'Quay', description: 'Wind and water.', public: false });
  expect(swarm.sent).toEqual([{ name: 'Quay' }, { name: 'Quay' }]);
});

test('a field that both changed stops it, and saving upon theirs keeps mine', async () => {
  const swarm = server(base);
  swarm.change({ name: 'Port' });
  const mine = { ...base, name: 'Quay' };
  const saved = await saveSettings({ ...swarm.options, base, mine, etag: '1' });
  if (saved.kind !== 'contested') throw new Error(saved.kind);
  expect(saved.fields).toEqual(['name']);
  expect(swarm.values().name).toBe('Port');
  const again = await saveSettings({ ...swarm.options, base: saved.read.values, mine, etag: saved.read.etag });
  expect(again.kind).toBe('saved');
  expect(swarm.values().name).toBe('Quay');
});

test('the same change on both sides is saved already', async () => {
  const swarm = server(base);
  swarm.change({ name: 'Quay' });
  const saved = await saveSettings({ ...swarm.options, base, mine: { ...base, name: 'Quay' }, etag: '1' });
  expect(saved).toEqual({ kind: 'saved', read: { values: { ...base, name: 'Quay' }, etag: '2' } });
});

test('any other refusal is thrown', async () => {
  const refused = new Error('forbidden');
  const write = () => Promise.reject(refused);
  const saving = saveSettings({ ...server(base).options, write, base, mine: { ...base, name: 'Q' }, etag: '1' });
  await expect(saving).rejects.toBe(refused);
});

test('merging takes mine where I changed something', () => {
  const merged = mergeSettings({ base, mine: { ...base, name: 'Quay' }, theirs: { ...base, public: true } });
  expect(merged).toEqual({ values: { name: 'Quay', description: 'Wind.', public: true }, contested: [] });
});

test('the rules of the form are those of the service', () => {
  expect(checkSwarm({ ...base, name: '' })).toEqual({ name: 'missing' });
  expect(checkSwarm({ ...base, name: ' \u200b' })).toEqual({ name: 'invisible' });
  expect(checkSwarm({ ...base, name: 'x'.repeat(129) })).toEqual({ name: 'too_long' });
  expect(checkSwarm({ ...base, description: 'a\u0000' })).toEqual({ description: 'unprintable' });
  expect(checkSwarm(base)).toEqual({});
});

test('what the server finds wrong stands at its field', () => {
  const problem = { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' };
  const errors = [
    { pointer: '/name', code: '', detail: 'at most 128 characters' },
    { pointer: '/other', code: '', detail: 'is unknown' },
  ];
  expect(faultsOf({ ...problem, errors })).toEqual({ name: { detail: 'at most 128 characters' } });
});
