import { expect } from 'vitest';
import { listEnded } from '../../core/keys/api-keys.store.ts';
import type { JobCases } from '../../tests/rights.fixture.ts';
import type { Connection } from './connection.ts';
import { mqttLimits } from './limits.ts';
import { disconnectEnded } from './mqtt.ts';
import { createWills } from './wills.ts';

const numbers = Array.from({ length: 2000 }, (_, number) => number);

export const jobs: JobCases = {
  mqttKeys: {
    async run({ db, now }) {
      const connections = numbers.map((number) => ({ device: { keyId: `key-${number}` }, hasEnded: false }));
      let ended = 0;
      await disconnectEnded(new Set(connections as unknown as Connection[]), {
        async ended(ids) {
          ended += (await listEnded({ db, now }, ids)).length;
          return [];
        },
      });
      expect(ended).toBe(numbers.length);
    },
  },
  // The network of many clients is lost.
  mqttWills: {
    async run({ device, fetch }) {
      const answers: number[] = [];
      const wills = createWills({
        service: {
          async fetch({ url, method, headers }, { body }) {
            const asked = new Headers({ 'x-serviceapikey': device.key, 'content-type': headers.get('content-type')! });
            const answer = await fetch(
              new Request(url, { method, headers: asked, body: JSON.stringify(body!().fields) }),
            );
            answers.push(answer.status);
            return answer;
          },
          baseUrl: 'http://localhost/service',
          keyHeader: 'x-serviceapikey',
          newId: () => 'id',
        },
        report: (error) => expect.unreachable(String(error)),
      });
      const payload = Buffer.from(JSON.stringify('x'.repeat(mqttLimits.willBytes / numbers.length - 300)));
      const held = numbers.map(() =>
        wills.hold(
          { topic: 'messages', payload, qos: 1, retain: false },
          { connection: { address: '::1' } as Connection, device: { ...device, keyId: 'key' }, client: '' },
        ),
      );
      for (const will of held) will!.due();
      await expect.poll(() => answers.length).toBe(numbers.length);
      expect(new Set(answers)).toEqual(new Set([201]));
    },
  },
};
