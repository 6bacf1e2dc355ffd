import { createHash } from 'node:crypto';
import type { Statement } from '../store/statement.ts';
import type { Step, Steps } from './steps.store.ts';
import type { Way } from './ways.ts';

/**
 * A user whose password was right, or whom a provider knows. `password`: of the stored hash, which changes with the password. `way`: the
 * first step.
 */
interface Verified {
  userName: string;
  way: string;
  password: string;
}

const kind = 'second-factor';
const digestOf = (hash: string) => createHash('sha256').update(hash).digest('base64url');

export type SecondStep = ReturnType<typeof createSecondStep>;

/** What a sign-in asks for after its first step. `ways`: read when all are made. */
export function createSecondStep({ ways, steps }: { ways: readonly Pick<Way, 'secondStep'>[]; steps: Steps }) {
  const all = () => ways.flatMap(({ secondStep = [] }) => secondStep);

  return {
    isAsked: async (userName: string): Promise<boolean> =>
      (await Promise.all(all().map((step) => step.isAsked(userName)))).includes(true),

    /** Fail a write if it is asked for. */
    notAsked: (userName: string): Statement<string>[] => all().map((step) => step.notAsked(userName)),

    /** A `Set-Cookie` header: the first step of this way was right. `hash`: of the user's password then. */
    begin: ({ hash, ...first }: { userName: string; way: string; hash: string }): string =>
      steps.seal(kind, { ...first, password: digestOf(hash) } satisfies Verified),

    open: (request: Request): Step<Verified> | undefined => steps.open<Verified>(kind, request),

    /** Whether the password is the one of the first step. */
    isOf: ({ value }: Step<Verified>, hash: string): boolean => digestOf(hash) === value.password,

    cleared: (): string => steps.cleared(kind),
  };
}
