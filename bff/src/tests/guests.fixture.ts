import type { GuestEvent, NewShareLink } from '../contract.ts';
import { listen } from './events.fixture.ts';

export const codeOf = ({ url }: NewShareLink) => new URL(url).hash.slice(1);

/** Opens a link, as its page does. `shown`: the devices that the page has, by name. */
export async function lookAt(url: string, code: string) {
  const { events, until, ...listener } = await listen(`${url}/guest/events`, { 'x-share-code': code });
  const seen = events as unknown as GuestEvent[];
  const shown = () => {
    const byKey = new Map<number, string>();
    for (const event of seen) {
      if (event.type === 'changed') for (const key of event.gone ?? []) byKey.delete(key);
      if ('devices' in event) for (const { key, name } of event.devices) byKey.set(key, name);
    }
    return [...byKey.values()].toSorted();
  };
  return {
    ...listener,
    events: seen,
    shown,
    until: async <Type extends GuestEvent['type']>(
      type: Type,
      isMeant: (event: Extract<GuestEvent, { type: Type }>) => boolean = () => true,
    ) => {
      const isIt = (event: GuestEvent) => event.type === type && isMeant(event as Extract<GuestEvent, { type: Type }>);
      return (await until((event) => isIt(event as unknown as GuestEvent))) as unknown as Extract<
        GuestEvent,
        { type: Type }
      >;
    },
  };
}
