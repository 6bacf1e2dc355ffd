import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../bff/src/tests/real-provider-process.fixture.ts');

export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The origin whose users it signs in. */
  allow(origin: string): Promise<void>;
  stop(): void;
}

/** Starts a real provider of single sign-on with its own pages, in a process of its own. */
export async function startProvider(): Promise<Provider> {
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const [known] = (await once(child, 'message')) as [Pick<Provider, 'issuer' | 'clientId' | 'clientSecret'>];
  return {
    ...known,
    async allow(origin) {
      const allowed = once(child, 'message');
      child.send(origin);
      await allowed;
    },
    stop: () => void child.kill(),
  };
}
