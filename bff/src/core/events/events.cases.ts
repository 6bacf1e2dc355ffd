import { allows, post, type Cases } from '../../tests/contract.cases.ts';

/** The events have their own tests, over real connections. */
export const cases: Cases = {
  streamEvents: [
    {
      title: 'the head of a stream',
      request: () => ({ method: 'HEAD', path: '/events' }),
      expect: { status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } },
    },
    { title: 'an unsupported method', request: () => post('/events', {}), expect: allows('GET, HEAD') },
  ],
};
