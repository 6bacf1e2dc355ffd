import { domainToASCII } from 'node:url';

/**
 * A domain may be typed in any script. `domainToASCII` reads hosts of URLs: it would cut off a path and a line break, and reads numbers as
 * an IP address.
 */
function asciiDomain(typed: string): string {
  const domain = /[^\w.\-\u{80}-\u{10ffff}]/u.test(typed) ? '' : domainToASCII(typed);
  return /\.\d+$/.test(domain) ? '' : domain;
}

/** An address as it is stored. */
export const withAsciiDomain = (typed: string): string => typed.replace(/(?<=@)[^@]*$/, asciiDomain);
