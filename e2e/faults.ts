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
}: {
  context: BrowserContext;
  origin: string;
}): Promise<Faults> {
  let faults: string[] = [];
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
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) faults.push(`request: ${request.url()}`);
  });
  return { found: () => faults, clear: () => (faults = []) };
}
