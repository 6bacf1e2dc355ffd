import type { Page } from 'playwright/test';

/** Returns name and text of the file that the browser saves after `press`. */
export async function savedFile({ page, press }: { page: Page; press: () => Promise<void> }) {
  const download = page.waitForEvent('download');
  await press();
  const saved = await download;
  const chunks: Buffer[] = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
  return { name: saved.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}
