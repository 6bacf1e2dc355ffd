/**
 * What is before the server, such as a proxy, may ask for a sign-in of its own. Requests of a page cannot follow it there, and the
 * service worker serves each page, so only an address that the worker leaves to the network leads there. After the sign-in, the
 * browser is sent back to this address.
 */
import { minuteMs } from '@swarmdeck/bff/durations';
import { onNewPage } from './new-page.ts';
import { tabStorage } from './tab-storage.ts';

const mark = 'from-network';
/** In the query of a page that the service worker leaves to the network. */
export const fromNetwork = /[?&]from-network=?(?=&|$)/;
/** What is behind the `#` of the page. It may be a secret, so nobody else is sent it. */
const hashKey = 'hash_before_network';
/** In ms. */
const justNow = 10 * minuteMs;
let hasCome = false;
onNewPage(() => (hasCome = false));

/** Loads this page from the network. */
export function loadFromNetwork(): void {
  const { pathname, search, hash } = location;
  tabStorage.write(hashKey, hash);
  location.replace(`${pathname}${search}${search === '' ? '?' : '&'}${mark}`);
}

/** Whether the network has sent this page in the last minutes. To load it again from there would change nothing. */
export const hasComeFromNetwork = (): boolean => hasCome && performance.now() < justNow;

/** Restores the address of a page that has come from the network. Call it before the address is read. */
export function restoreAddress(): void {
  const { pathname, search, hash } = location;
  if (!fromNetwork.test(search)) return;
  hasCome = true;
  const query = search.replace(fromNetwork, '').replace(/^&/, '?');
  history.replaceState(history.state, '', pathname + query + (hash || (tabStorage.read(hashKey) ?? '')));
  tabStorage.write(hashKey, null);
}
