import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { browserArguments, findBrowser } from '../.tools/browser.ts';
import { post, send, signUp, each } from './perf/bed.ts';
import { startServer } from './server.ts';
const out = '/tmp/bulk-shots'; mkdirSync(out, { recursive: true });
const server = await startServer({ env: { QUOTAS: 'off', LOG_LEVEL: 'warn' } });
const { origin } = server;
const [ann, ben] = [await signUp(origin, 'ann'), await signUp(origin, 'benedikta-von-hohenzollern-32ch')];
const make = async (who: typeof ann, path: string, body: object) => (await (await post(`${origin}/service${path}`, who.key, body)).json()) as { id: string };
const swarm = await make(ann, '/swarms', { name: 'Harbour weather', description: 'Wind on every quay' });
const long = 'Lock chamber water level gauge with backup float, remote gate, west wall 02';
const rtl = 'مقياس مستوى المياه في الميناء القديم';
const types = ['pc', 'bug', 'smartphone'];
const names = [long, rtl, ...Array.from({ length: 30 }, (_, i) => `Buoy ${i + 1}`)];
const devices = await each(names, (name, i) => make(ann, '/resources', { name, machine_type: types[i % 3], position: { longitude: 8 + i / 10, latitude: 53 + (i % 7) / 10 } }));
await each(devices.slice(0, 20), ({ id }, i) => post(`${origin}/service/swarms/${swarm.id}/resources`, ann.key, { resource_id: id, resource_type: ['producer', 'consumer', 'both'][i % 3] }));
const theirs = await each(Array.from({ length: 12 }, (_, i) => i), (i) => make(ben, '/resources', { name: i === 0 ? long : `Gauge ${i}`, machine_type: 'bug', position: { longitude: 9 + i / 10, latitude: 54 } }));
for (const [i, { id }] of theirs.entries()) {
  const sent = await make(ann, `/swarms/${swarm.id}/invitations`, { to: ben.name, resource_id: id, resource_type: 'producer', description: 'Please share' });
  if (i < 4) await send('PUT', `${origin}/service/resources/${id}/invitations/${sent.id}`, ben.key, { status: 'accept' });
}
await server.command('key', 'create', '--user', 'ann', '--name', 'truck');
const path = findBrowser();
const browser = await chromium.launch({ args: browserArguments, ...(path && { executablePath: path }) });
const only = process.argv[2];
async function shots(kind: 'desktop' | 'phone', scheme: 'light' | 'dark', lang: 'en' | 'de') {
  const phone = kind === 'phone';
  const context = await browser.newContext({ baseURL: origin, viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 }, hasTouch: phone, isMobile: phone, deviceScaleFactor: 1, colorScheme: scheme, locale: lang === 'de' ? 'de-DE' : 'en-GB' });
  await context.addInitScript((l) => localStorage.setItem('lang', l), lang);
  await context.addInitScript(() => { globalThis.print = () => undefined; });
  context.setDefaultTimeout(8000);
  await context.request.post('/auth/sign-in/username', { data: { username: 'ann', password: 'correct horse battery' }, headers: { origin } });
  const page = await context.newPage();
  const shot = async (name: string) => { await page.waitForTimeout(700); await page.screenshot({ path: `${out}/${name}-${kind}-${scheme}-${lang}.png` }); };
  const attempt = async (name: string, act: (p: Page) => Promise<unknown>) => {
    if (only && !name.startsWith(only)) return;
    try { await act(page); await shot(name); } catch (error) { console.log(name, kind, scheme, lang, String(error).slice(0, 300)); await shot(`${name}-FAILED`).catch(() => undefined); }
  };
  const word = (en: string, de: string) => (lang === 'de' ? de : en);
  const actions = () => page.getByRole('button', { name: word('Actions', 'Aktionen'), exact: true }).click();
  const item = (en: string, de: string) => page.getByRole('menuitem', { name: word(en, de) }).click();
  await attempt('members', async () => { await page.goto(`/swarms/${swarm.id}`); await page.getByText('Buoy 1', { exact: true }).first().waitFor(); });
  await attempt('members-selected', async () => {
    await page.goto(`/swarms/${swarm.id}`); await page.getByText('Buoy 1', { exact: true }).first().waitFor();
    if (phone) { await page.getByRole('button', { name: word('Select members', 'Mitglieder auswählen') }).click(); await page.locator('.member .row-main').nth(0).click(); await page.locator('.member .row-main').nth(1).click(); }
    else { await page.locator('.member').nth(0).hover(); await page.locator('.member .tick').nth(0).click(); await page.locator('.member .tick').nth(2).click(); }
  });
  await attempt('members-role', async () => { await actions(); await item('Change role …', 'Rolle ändern …'); await page.locator('dialog[open]').waitFor(); });
  await attempt('members-remove', async () => { await page.keyboard.press('Escape'); await page.locator('.selection-bar .tick').click(); await actions(); await item('Remove from the swarm …', 'Aus dem Schwarm entfernen …'); await page.locator('dialog[open]').waitFor(); });
  await attempt('members-removing', async () => { await page.locator('dialog[open] .button').first().click(); await page.waitForTimeout(600); await page.locator('.undo-toasts .button').click({ trial: true }).catch(() => undefined); await shot('members-removing-now'); await page.keyboard.press('z'); });
  await attempt('board', async () => { await page.goto(`/swarms/${swarm.id}?tab=invitations`); await page.locator('.board-row').first().waitFor(); });
  await attempt('board-selected', async () => { await page.locator('.board-row .tick').nth(0).click(); await page.locator('.board-row .tick').nth(1).click(); });
  await attempt('board-withdraw', async () => { await actions(); await item('Withdraw …', 'Zurückziehen …'); await page.locator('dialog[open]').waitFor(); });
  await attempt('invite', async () => {
    await page.goto(`/invite?swarm=${swarm.id}`);
    await page.locator('#invite-codes').fill(`${ben.name}/${theirs[5]!.id}\n${ben.name}/${theirs[6]!.id} consumer\nhttps://deck.example/invite?to=${ben.name}&resource=${theirs[11]!.id}\nnonsense\n${ben.name}/${theirs[0]!.id}`);
    await page.waitForTimeout(400);
    if (phone) { await page.locator('.invite .button-quiet.button-wide').click().catch(() => undefined); await page.locator('.invite-lines').scrollIntoViewIfNeeded(); }
  });
  await attempt('invite-menu', async () => { await page.locator('.invite-line-end [aria-haspopup]').nth(1).click(); });
  await attempt('wall-list', async () => { await page.goto(`/swarms/${swarm.id}/map?list=1`); await page.locator('.wall-list-row').first().waitFor(); await page.locator('.wall-list-row .row-main').nth(2).click(); });
  await attempt('wall', async () => { await page.goto(`/swarms/${swarm.id}/map`); await page.waitForTimeout(1200); });
  await attempt('activity', async () => { await page.goto('/activity'); await page.locator('.activity-line').first().waitFor(); });
  await attempt('activity-open', async () => { await page.locator('.activity-group > summary').first().click({ position: { x: 30, y: 10 } }); });
  await attempt('account-activity', async () => { await page.goto('/account'); await page.locator('.activity-line').first().scrollIntoViewIfNeeded(); });
  await attempt('home', async () => { await page.goto('/'); await page.locator('.device-row').first().waitFor(); await page.waitForTimeout(1200); });
  await attempt('home-actions', async () => {
    await page.getByRole('button', { name: word('More', 'Mehr') }).first().click(); await page.getByRole('menuitem', { name: word('Select all 32', 'Alle 32 auswählen') }).click(); await actions();
  });
  await attempt('print', async () => { await item('Print QR codes …', 'QR-Codes drucken …'); await page.locator('dialog[open]').waitFor(); await page.waitForTimeout(500); });
  await attempt('print-sheet', async () => { await page.locator('dialog[open] .button').first().click(); await page.emulateMedia({ media: 'print', colorScheme: scheme }); });
  await attempt('print-sheet', async () => { if (!phone && scheme === 'light') await page.pdf({ path: `${out}/sheet-${lang}.pdf`, format: 'A4' }).catch((e: unknown) => console.log('pdf', String(e).slice(0, 100))); await page.emulateMedia({ media: 'screen' }); });
  await attempt('placing', async () => {
    await page.goto('/'); const bare = await make(ann, '/resources', { name: `Bare ${kind} ${scheme} ${lang}`, machine_type: 'pc' });
    await page.goto(`/?q=Bare ${kind} ${scheme} ${lang}&sel=${bare.id}`); await page.getByRole('button', { name: new RegExp(word('^Place Bare', 'Bare .* platzieren|Bare')) }).first().click();
    await page.getByRole('searchbox', { name: word('Find a place on the map', 'Ort auf der Karte finden') }).fill('ham'); await page.waitForTimeout(2500);
  });
  await context.close();
}
for (const [kind, scheme, lang] of [['desktop', 'light', 'en'], ['phone', 'light', 'en'], ['desktop', 'dark', 'de'], ['phone', 'dark', 'de']] as const) await shots(kind, scheme, lang);
await browser.close(); await server.stop();
