import type { ActionKindCases } from '../../tests/actions.fixture.ts';
import { onlyKey, onlyOwner, type Rights } from '../../tests/rights.fixture.ts';
import type { SavedView, SavedViews } from './contract.ts';

const view = (name: string) => ({ name, url: '/?q=buoy' });
let names = 0;

export const rights: Rights<{ view: string }> = {
  async data({ request }) {
    const saved = { method: 'POST', path: '/saved-views', body: view(`saved ${names++}`) };
    return { view: (await request<{ id: string }>(saved)).id };
  },
  rows: {
    'GET /api/saved-views': {
      request: () => ({ path: '/saved-views' }),
      statuses: onlyKey(200),
      shows: { id: ({ view: id }) => id, to: ['owner'] },
    },
    'POST /api/saved-views': {
      request: () => ({ method: 'POST', path: '/saved-views', body: view(`made ${names++}`) }),
      statuses: onlyKey(201),
      keepsData: true,
    },
    'PUT /api/saved-views/:id': {
      request: ({ view: id }) => ({ method: 'PUT', path: `/saved-views/${id}`, body: { name: `renamed ${names++}` } }),
      statuses: onlyOwner(200),
      keepsData: true,
    },
    'DELETE /api/saved-views/:id': {
      request: ({ view: id }) => ({ method: 'DELETE', path: `/saved-views/${id}` }),
      statuses: onlyOwner(204),
    },
  },
};

export const actionKinds: ActionKindCases = {
  async delete_view(client) {
    const { id, name } = await client.make<SavedView>('/saved-views', view('Buoys'));
    const read = async () => (await client.get<SavedViews>('/saved-views')).items;
    return { action: { kind: 'delete_view', about: {}, wait: 0, items: [{ id, name }] }, read, after: [] };
  },
};
