import { randomBytes } from 'node:crypto';
import type { CreatedApiKey, Resource, ResourceCreate } from '@swarmdeck/bff/contract';
import type { APIRequestContext } from 'playwright/test';

/** Somebody with an account, who does over HTTP what a journey needs done before it starts. */
export interface Person {
  name: string;
  password: string;
  add(device: ResourceCreate): Promise<Resource>;
  addMany(devices: ResourceCreate[]): Promise<Resource[]>;
  createKey(name: string): Promise<string>;
}

/** Signs up somebody new; the cookies stay in the browser context that `request` belongs to. */
export async function signUp({ request, origin }: { request: APIRequestContext; origin: string }): Promise<Person> {
  const name = `harbour-${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');

  async function post<T>(path: string, data: object): Promise<T> {
    const answer = await request.post(`${origin}${path}`, { data, headers: { origin } });
    if (!answer.ok()) throw new Error(`POST ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  await post('/auth/sign-up/email', { username: name, password, name });
  const add = (device: ResourceCreate) => post<Resource>('/api/resources', device);
  return {
    name,
    password,
    add,
    addMany: (devices) => Promise.all(devices.map(add)),
    createKey: async (label) => (await post<CreatedApiKey>('/api/account/keys', { name: label })).key,
  };
}
