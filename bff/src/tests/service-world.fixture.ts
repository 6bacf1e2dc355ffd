import { expect } from 'vitest';
import type { Invitation, Resource, Swarm } from '../contract.ts';
import { keepInvitation, keepResource, keepSwarm } from './service-commands.fixture.ts';
import type { Real } from './service-commands.fixture.ts';
import { grant } from './service-model.fixture.ts';
import type { World } from './service-model.fixture.ts';

/**
 * Creates two devices of Ann's and one of each other user's, two swarms of Ann's and one of Ben's. In Ann's first
 * swarm, Ben's device is a consumer, and Cleo's is invited.
 */
export async function furnish(world: World, ask: Real['ask']): Promise<void> {
  const make = async <T>(person: string, path: string, body: object) =>
    (await (await ask(person, { method: 'POST', path, body })).json()) as T;
  const device = { name: 'Sensor', machine_type: 'bug' };
  const ring = { name: 'Ring', description: '' };
  const devices = ['ann', 'ann', 'ben', 'cleo'].map((person) => make<Resource>(person, '/resources', device));
  const swarms = ['ann', 'ben', 'ann'].map((person) => make<Swarm>(person, '/swarms', ring));
  for (const made of await Promise.all(devices)) keepResource(world, made);
  const [swarm] = (await Promise.all(swarms)).map((made) => keepSwarm(world, made));
  const invite = ({ user_id, id }: Resource) =>
    make<Invitation>('ann', `/swarms/${swarm!.record.id}/invitations`, {
      to: user_id,
      resource_id: id,
      resource_type: 'consumer',
    });
  const [, , bens, cleos] = [...world.resources.values()];
  const [sent, open] = await Promise.all([invite(bens!), invite(cleos!)]);
  const accept = { method: 'PUT', path: `/resources/${bens!.id}/invitations/${sent.id}`, body: { status: 'accept' } };
  keepInvitation(world, (await (await ask('ben', accept)).json()) as Invitation);
  grant(swarm!, bens!.id, 'consumer');
  keepInvitation(world, open);
}

/** Deletes everything, so that the next run starts empty. */
export async function clear(world: World, ask: Real['ask']): Promise<void> {
  const ends = [
    ...[...world.swarms.values()].map(({ record }) => ({ person: record.user_id, path: `/swarms/${record.id}` })),
    ...[...world.resources.values()].map(({ id, user_id }) => ({ person: user_id, path: `/resources/${id}` })),
  ];
  const answers = await Promise.all(ends.map(({ person, path }) => ask(person, { method: 'DELETE', path })));
  expect(answers.every(({ status }) => status === 204)).toBe(true);
  const left = world.people.map(async (name) => (await ask(name, { path: '/invitations' })).json());
  expect(await Promise.all(left)).toEqual(world.people.map(() => []));
}
