/**
 * What may become code or HTML. The content policy of the server requires it of every page
 * (https://developer.mozilla.org/docs/Web/API/Trusted_Types_API), so no text of a user becomes either, also not by a mistake of the
 * app or a library.
 */

/** TypeScript does not know it. Some browsers of this year do not have it. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: Record<string, (text: string) => string | null>): unknown;
}

const isOwnScript = (url: string) =>
  url === '/service-worker.js' ||
  URL.parse(url, location.href)?.href.startsWith(`${location.origin}${import.meta.env.BASE_URL}assets/`);

export const rules = {
  /** Leaflet's test for SVG. The app itself makes no HTML of text. */
  createHTML: (text: string) => (text === '<svg/>' ? text : null),
  /** Workers. */
  createScriptURL: (url: string) => (isOwnScript(url) ? url : null),
};

export function limitTrustedTypes(): void {
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', rules);
}
