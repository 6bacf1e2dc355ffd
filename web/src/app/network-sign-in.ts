import type { QueryClient } from '@tanstack/react-query';
import { hasComeFromNetwork, loadFromNetwork } from '../data/network-page.ts';
import { outbox } from '../data/outbox/outbox.ts';
import { losesNothing } from './app-update.ts';

/**
 * Goes to the sign-in that something before the server asks for, while nothing is typed, selected or waiting. Once: if the page comes
 * from there and its requests do not, only its button goes there again.
 */
export function goToNetworkSignIn(client: QueryClient): void {
  const mayLeave = document.visibilityState === 'visible' && losesNothing(client) && outbox.list().length === 0;
  if (mayLeave && !hasComeFromNetwork()) loadFromNetwork();
}
