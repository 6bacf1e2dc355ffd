const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//u, 'Edge'],
  [/OPR\/|Opera/u, 'Opera'],
  [/Firefox\/|FxiOS/u, 'Firefox'],
  [/HeadlessChrome|Chromium\//u, 'Chromium'],
  [/Chrome\/|CriOS/u, 'Chrome'],
  [/Safari\//u, 'Safari'],
  [/curl\//u, 'curl'],
];
const systems: [RegExp, string][] = [
  [/iPhone/u, 'iPhone'],
  [/iPad/u, 'iPad'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Mac OS X|Macintosh/u, 'macOS'],
  [/CrOS/u, 'ChromeOS'],
  [/Linux|X11/u, 'Linux'],
];

/**
 * Parses the browser and the system, such as Firefox and Linux. The order matters, because browsers imitate each
 * other's user agents.
 */
export function parseUserAgent(userAgent: string): { browser: string | null; system: string | null } {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: find(browsers), system: find(systems) };
}
