/** The real provider in a process of its own, for journeys: it tells how to reach it, and is told whose users it signs in. */
import { startRealProvider } from './real-provider.fixture.ts';

const { issuer, clientId, clientSecret, allow } = await startRealProvider('home');
process.on('message', (origin: string) => {
  allow(origin);
  process.send!('allowed');
});
process.send!({ issuer, clientId, clientSecret });
