import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import type { Action, ActionKinds } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../text/text.ts';
import { ActionSentence } from './action-sentence.tsx';

const swarm = { id: 's1', name: 'Harbour' };
const abouts: { [Kind in keyof ActionKinds]: ActionKinds[Kind]['about'] } = {
  answer: { answer: 'accept' },
  withdraw: {},
  invite_again: {},
  invite: { swarm },
  join: { link: 'l1', pass: 'p1', swarm },
  ask_to_join: { swarm, resource_type: 'both' },
  add_member: { swarm, resource_type: 'producer' },
  change_role: { swarm, resource_type: 'both' },
  narrow_role: { swarm, resource_type: 'consumer' },
  remove_member: { swarm },
  extend_member: { swarm, ends_at: '2026-11-20T12:00:00.000Z' },
  offer_end: { swarm, ends_at: '2026-11-20T12:00:00.000Z' },
  import: { file: 'quay.csv', hash: '' },
  update: { machine_type: 'bug' },
  edit: { name: 'Buoy 1', position: null },
  delete: {},
  delete_swarm: {},
  delete_view: {},
  undo: { action: 'a1', kind: 'add_member', of: { swarm, resource_type: 'producer' } },
};

function sentences(count: number) {
  const kinds = Object.entries(abouts) as [Action['kind'], Action['about']][];
  return kinds.map(([kind, about]) =>
    renderToStaticMarkup(<ActionSentence kind={kind} about={about} count={count} />).replaceAll(/<[^>]+>/g, ''),
  );
}

afterEach(() => loadTexts('en'));

test('each kind of action is a sentence with its number of items and its names', async () => {
  expect(sentences(1200)).toEqual([
    'Accepted 1,200 invitations',
    'Withdrew 1,200 invitations',
    'Resent 1,200 invitations',
    'Sent 1,200 invitations to join Harbour',
    'Joined Harbour with 1,200 devices',
    'Asked to join Harbour with 1,200 devices',
    'Added 1,200 devices to Harbour',
    'Changed the role of 1,200 devices in Harbour: sends and receives',
    'Limited the role of 1,200 devices in Harbour: receives',
    'Removed 1,200 devices from Harbour',
    'Extended 1,200 memberships in Harbour',
    'Offered a later end for 1,200 devices in Harbour',
    'Imported 1,200 devices from quay.csv',
    'Changed the machine type of 1,200 devices to Bug',
    'Changed name and position',
    'Deleted 1,200 devices',
    'Deleted 1,200 swarms',
    'Deleted 1,200 saved views',
    'Undone: “Added 1,200 devices to Harbour”',
  ]);
  await loadTexts('de');
  expect(sentences(1)).toContain('1 Gerät zu Harbour hinzugefügt');
  expect(sentences(1)).toContain('Rückgängig gemacht: „1 Gerät zu Harbour hinzugefügt“');
});
