// Opens the workbench in a headless browser: `browse.mjs PORT FOLDER suite FILE` waits until the suite wrote FILE,
// `browse.mjs PORT FOLDER picture FILE` hovers as a user does, prints what is on the screen, and takes a screenshot.
import * as fs from 'node:fs';
import { chromium } from 'playwright-core';

const [port, folder, what, file] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.MSL_CHROMIUM,
  headless: true,
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--hide-scrollbars',
  ],
});
const page = await (await browser.newContext({ viewport: { width: 1200, height: 720 }, deviceScaleFactor: 1.5 })).newPage();
await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);

if (what === 'suite') {
  const end = Date.now() + 120_000;
  while (!fs.existsSync(file) && Date.now() < end) {
    await page.waitForTimeout(200);
  }
} else {
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
  const row = '.quick-input-list .monaco-list-row[aria-label*="light.metal"]';
  await page.waitForTimeout(2500);
  await page.keyboard.press('Control+P');
  await page.waitForSelector('.quick-input-widget input', { state: 'visible' });
  await page.keyboard.type('light.metal');
  await page.waitForSelector(row, { timeout: 30_000 });
  await page.waitForTimeout(800);
  await page.locator(row).first().click();
  await page.waitForSelector('.monaco-editor .view-line', { timeout: 30_000 });
  await page.waitForSelector('.squiggly-error', { state: 'attached', timeout: 60_000 }).catch(async (failure) => {
    await page.screenshot({ path: file });
    throw failure;
  });
  await page.waitForTimeout(4000);
  const line = page.locator('.view-line').filter({ hasText: 'light->intensity' }).first();
  const box = await line.boundingBox();
  const column = (await line.textContent()).replaceAll('\u00a0', ' ').indexOf('light->intensity') + 2;
  // The widths of characters are those of a monospaced font.
  const width = await page.evaluate(() => {
    const spans = document.querySelectorAll('.view-line span span');
    const span = [...spans].find((one) => one.textContent.length > 3);
    return span.getBoundingClientRect().width / span.textContent.length;
  });
  await page.mouse.move(box.x + width * column, box.y + box.height / 2);
  await page.waitForSelector('.monaco-hover .hover-contents', { state: 'visible', timeout: 30_000 }).catch(() => {});
  await page.waitForTimeout(1500);
  await page.screenshot({ path: file });
  console.log(JSON.stringify({
    hover: (await page.locator('.monaco-hover').allInnerTexts()).join('\n').replaceAll('\u00a0', ' '),
    errors: await page.locator('.squiggly-error').count(),
    language: await page.evaluate(() =>
      [...document.querySelectorAll('.statusbar-item')].map((item) => `${item.id} ${item.querySelector('a')?.ariaLabel ?? item.ariaLabel}`).filter((text) => text.includes('anguage')).join('\n')),
    status: (await page.locator('.statusbar-item').allInnerTexts()).map((text) => text.trim()).filter(Boolean),
  }));
}
await browser.close();
