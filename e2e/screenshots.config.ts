import { defineConfig } from 'playwright/test';
import config from './playwright.config.ts';

const { use = {} } = config;
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

/** Every screen in both sizes, light, dark and from right to left, with the fonts of this machine. */
export default defineConfig<{ mounted: boolean; showsCanvases: boolean }>({
  ...config,
  testDir: 'screens',
  testMatch: '*.shots.ts',
  timeout: 120_000,
  reporter: 'line',
  outputDir: '../test-results/screenshots',
  // The language is chosen when a page loads.
  use: {
    ...use,
    mounted: false,
    showsCanvases: true,
    launchOptions: { ...use.launchOptions, env: process.env },
    trace: 'off',
    screenshot: 'off',
  },
  projects: Object.entries(sizes).flatMap(([size, screen]) => [
    { name: size, use: { ...screen, colorScheme: 'light' as const } },
    { name: `${size}-dark`, use: { ...screen, colorScheme: 'dark' as const } },
    { name: `${size}-rtl`, use: { ...screen, colorScheme: 'light' as const }, metadata: { lang: 'en-XR' } },
  ]),
});
