import { BoundedMap } from '../limits/bounded-map.ts';
import type { Rates } from '../limits/limit-tables.ts';
import { memoryTable, signInLimits } from '../limits/part-limits.ts';
import { requireTokens, tooFast } from '../limits/rate.ts';

interface Attempt {
  /** Has the shape of a user name, which bounds the tables here in bytes. */
  userName: string;
  address: string;
}

type SignInRates = Pick<Rates, 'sign_in' | 'sign_in_of_name' | 'free_sign_in'>;
export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Limits how often one address tries to sign in, and how often one user name is tried, whatever the addresses.
 *
 * Attackers must not be able to lock the owner out, even if they use up the limit of the name. Therefore neither the
 * first attempts of each address nor those of an address where the owner has signed in before count towards it. With
 * N addresses a guesser gets 3 N guesses a day more. Nor may somebody in the same building, who has the same address: when
 * the attempts of an address are used up, each user who has signed in there before still has as many of their own.
 *
 * `sign_in`: as many for each address, and for each user at a known address. `sign_in_of_name`: from all addresses together.
 * `free_sign_in`: of each address at each name; these do not count towards the limit of the name.
 */
export function createLoginThrottle(rates: SignInRates) {
  /** The last sign-in addresses of the most recently signed-in users. */
  const known = new BoundedMap<string, string[]>(memoryTable.signed_in_users.most);
  const knownAddresses = new BoundedMap<string, true>(memoryTable.sign_in_addresses.most);
  const isKnown = ({ userName, address }: Attempt) => known.get(userName)?.includes(address) === true;

  return {
    /**
     * Before the body is read, so that invalid bodies count. Returns a check for the name in it.
     * @throws Problem `rate.exceeded` if this address has tried too often, and nobody has signed in there before
     */
    requireAddress(address: string): (userName: string) => void {
      const seconds = rates.sign_in.take(`sign-in|${address}`);
      if (seconds > 0 && !knownAddresses.has(address)) throw tooFast(seconds);
      return (userName) => {
        if (seconds === 0) return;
        if (!isKnown({ userName, address })) throw tooFast(seconds);
        requireTokens(rates.sign_in, `sign-in|${address} ${userName}`);
      };
    },
    /** @throws Problem `rate.exceeded` if this name was tried too often */
    requireName(attempt: Attempt): void {
      if (isKnown(attempt) || rates.free_sign_in.take(`${attempt.userName} ${attempt.address}`) === 0) return;
      requireTokens(rates.sign_in_of_name, attempt.userName);
    },
    /** The password was right: this name is no longer limited at this address. */
    wasRight({ userName, address }: Attempt): void {
      const others = (known.get(userName) ?? []).filter((other) => other !== address);
      known.set(userName, [...others, address].slice(-signInLimits.addresses));
      knownAddresses.set(address, true);
    },
  };
}
