import type { BrowserContext } from 'playwright/test';

export interface Faults {
  /** What the pages of the context have done that no page may do. */
  found(): string[];
  clear(): void;
}

/** Records errors and violations on every page of the context, from its first script. */
export async function watchForFaults({
  context,
  origin,
  provider,
}: {
  context: BrowserContext;
  origin: string;
  /** The origin of a provider of single sign-on: pages go there, and its own pages may do what they like. */
  provider?: string | undefined;
}): Promise<Faults> {
  let faults: string[] = [];
  const isOfProvider = (url: string) => provider !== undefined && url.startsWith(`${provider}/`);
  await context.exposeFunction('reportViolation', (violation: string) => faults.push(`content policy: ${violation}`));
  await context.addInitScript(() => {
    const report = (window as unknown as { reportViolation(violation: string): void }).reportViolation;
    document.addEventListener('securitypolicyviolation', (violation) =>
      report(
        `${violation.effectiveDirective} ${violation.blockedURI} ${violation.sample} in ${violation.sourceFile}:${violation.lineNumber}`,
      ),
    );
  });
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(`content policy: ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`thrown: ${error.error().stack ?? String(error.error())}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || ['data:', 'blob:'].includes(url.protocol);
    if (isOwn) return;
    // a service worker has no frame
    const from = request.serviceWorker() ? '' : request.frame().url();
    if (!(request.isNavigationRequest() && isOfProvider(url.href)) && !isOfProvider(from))
      faults.push(`request: ${request.url()}`);
  });
  return { found: () => faults, clear: () => (faults = []) };
}
