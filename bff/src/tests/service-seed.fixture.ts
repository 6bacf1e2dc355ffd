import { expect } from 'vitest';
import type { Invitation, Resource, Swarm } from '../contract.ts';
import { addInvitation, addLink, addResource, addSwarm, type TestedService } from './service-commands.fixture.ts';
import { opening } from './service-client.fixture.ts';
import { grant, type Model } from './service-model.fixture.ts';
import type { JoinLink, JoinOffer, JoinRequest } from './records.fixture.ts';

/**
 * Creates two devices of Ann's and one of each other user's, two swarms of Ann's and one of Ben's. In Ann's first
 * swarm, Ben's device is a consumer, and Cleo's is invited. Ben and Cleo have opened a link to it. Ben asks to join her
 * other one, which is public.
 */
export async function seedModel(model: Model, request: TestedService['request']): Promise<void> {
  const make = async <T>(user: string, path: string, body: object) =>
    (await (await request(user, { method: 'POST', path, body })).json()) as T;
  const device = { name: 'Sensor', machine_type: 'bug' };
  const ring = { name: 'Ring', description: '' };
  const devices = ['ann', 'ann', 'ben', 'cleo'].map((user) => make<Resource>(user, '/resources', device));
  const swarms = ['ann', 'ben', 'ann'].map((user, index) =>
    make<Swarm>(user, '/swarms', { ...ring, public: index === 2 }),
  );
  for (const made of await Promise.all(devices)) addResource(model, made);
  const [swarm, , open] = (await Promise.all(swarms)).map((made) => addSwarm(model, made));
  const invite = ({ user_id, id }: Resource) =>
    make<Invitation>('ann', `/swarms/${swarm!.record.id}/invitations`, {
      to: user_id,
      resource_id: id,
      resource_type: 'consumer',
    });
  const [, , bens, cleos] = [...model.resources.values()];
  const [sent, invited] = await Promise.all([invite(bens!), invite(cleos!)]);
  const accept = { method: 'PUT', path: `/resources/${bens!.id}/invitations/${sent.id}`, body: { status: 'accept' } };
  addInvitation(model, (await (await request('ben', accept)).json()) as Invitation, 'ann');
  grant(swarm!, bens!.id, 'consumer');
  addInvitation(model, invited, 'ann');
  const body = { resource_id: bens!.id, resource_type: 'both' };
  const asked = await make<JoinRequest>('ben', `/swarms/${open!.record.id}/requests`, body);
  model.requests.set(asked.id, { record: asked, isWithdrawn: false });
  const places = { name: 'Workshop', resource_type: 'both', max_resources: 3 };
  const link = addLink(model, await make<JoinLink>('ann', `/swarms/${swarm!.record.id}/links`, places));
  for (const user of ['ben', 'cleo']) {
    const offer = (await (await request(user, { path: opening(link) })).json()) as JoinOffer;
    link.passes.set(user, offer.pass);
  }
}

/** Deletes everything, so that the next run starts empty. */
export async function clear(model: Model, request: TestedService['request']): Promise<void> {
  const ends = [
    ...[...model.swarms.values()].map(({ record }) => ({ user: record.user_id, path: `/swarms/${record.id}` })),
    ...[...model.resources.values()].map(({ id, user_id }) => ({ user: user_id, path: `/resources/${id}` })),
  ];
  const answers = await Promise.all(ends.map(({ user, path }) => request(user, { method: 'DELETE', path })));
  expect(answers.every(({ status }) => status === 204)).toBe(true);
  const left = model.users.map(async (name) => (await request(name, { path: '/invitations' })).json());
  expect(await Promise.all(left)).toEqual(model.users.map(() => []));
}
