import { Problem } from '../problem.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the checks of requests that another site could have triggered with the user's cookie (CSRF). Browsers send
 * `Sec-Fetch-Site`, which decides. Old ones, and those over plain HTTP, send only `Origin`: it is PUBLIC_URL, or has the host of
 * the request. A proxy may have changed that host. Both throw the Problem `origin.refused` (403).
 */
export function createOriginChecks({ publicUrl }: { publicUrl: string }) {
  /** Refuses a write of another site, and one that has neither header. */
  function requireSameOrigin(request: Request): void {
    if (reading.has(request.method)) return;
    const site = request.headers.get('sec-fetch-site');
    const origin = request.headers.get('origin');
    const same = site === null ? origin === publicUrl || isHost(request, origin) : site === 'same-origin';
    if (!same) throw new Problem('origin.refused');
  }
  return {
    requireSameOrigin,

    /**
     * Refuses also a read of another site, for what only this site's own pages ask for. No other page can read the response. But it could open streams,
     * or measure how long a response takes. An address that the user has typed has the site `none`.
     */
    requireOwnPage(request: Request): void {
      if (!reading.has(request.method)) return requireSameOrigin(request);
      const site = request.headers.get('sec-fetch-site');
      if (site === 'cross-site' || site === 'same-site') throw new Problem('origin.refused');
    },
  };
}

function isHost(request: Request, origin: string | null): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return origin !== null && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
