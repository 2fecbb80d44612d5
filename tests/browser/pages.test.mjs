// Every page in a real browser: nothing is requested, logged or run that is not the page's own, axe-core finds no
// violation, nothing sticks out, paper takes few sheets, and the pages look as they did when they were approved.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';

const work = process.env.WARPMARK_WORK;
const require = createRequire(path.join(work, 'package.json'));
const {chromium} = require('playwright-core');
const {PNG} = require('pngjs');
const {default: pixelmatch} = await import(pathToFileURL(require.resolve('pixelmatch')));
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const here = path.dirname(new URL(import.meta.url).pathname);

// Sheets of A4 and bytes that a page may take, and whether it is compared with an approved picture.
const pages = {
  student: {sheets: 8, bytes: 1e6, picture: true},
  half_done: {sheets: 7, bytes: 1e6, picture: true},
  reference: {sheets: 6, bytes: 1e6},
  without_gpu: {sheets: 6, bytes: 1e6},
  hostile: {sheets: 40, bytes: 1e6},
  empty: {sheets: 1, bytes: 1e6},
  class: {sheets: 12, bytes: 1e6, picture: true},
  class_3000: {sheets: 120, bytes: 5e6},
  student_sizes: {sheets: 14, bytes: 1e6},
  ungraded: {sheets: 1, bytes: 1e6},
  alike: {sheets: 6, bytes: 1e6},
  ladder: {sheets: 12, bytes: 1e6, picture: true},
  comparison: {sheets: 6, bytes: 1e6},
  class_hostile: {sheets: 12, bytes: 1e6},
  leaders: {sheets: 4, bytes: 1e6},
};
const widths = [390, 768, 1280];
// Which of them each page is looked at in. Every combination takes minutes: the long run alone does that.
const views = process.env.WARPMARK_LONG
  ? widths.flatMap((width) => [{width, scheme: 'light'}, {width, scheme: 'dark'}])
  : [{width: 390, scheme: 'dark'}, {width: 1280, scheme: 'light'}];
const kDifferent = 0.03;  // of the pixels of a picture: fonts differ a little from machine to machine

const browser = await chromium.launch({
  executablePath: process.env.WARPMARK_CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--font-render-hinting=none'],
});
test.after(() => browser.close());

// A page of the folder with all that it asked for and complained about.
async function opened(name, {width = 1280, scheme = 'light', script = true, scale = 1} = {}) {
  const context = await browser.newContext({
    viewport: {width, height: 900}, colorScheme: scheme, javaScriptEnabled: script, deviceScaleFactor: scale});
  const page = await context.newPage();
  const seen = {requests: [], complaints: []};
  const url = pathToFileURL(path.join(process.env.WARPMARK_PAGES, `${name}.html`)).href;
  page.on('request', (request) => { if (request.url() !== url) seen.requests.push(request.url()); });
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) seen.complaints.push(message.text()); });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  page.on('dialog', (dialog) => { seen.complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(url);
  return {page, seen, close: () => context.close()};
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document)).violations);
  return found.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.target.join(' ')).join('; ')}`);
}

// What sticks out of the window; what scrolls in a box of its own does not.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const [name, bounds] of Object.entries(pages)) {
  const file = path.join(process.env.WARPMARK_PAGES, `${name}.html`);

  test(`${name} is one small file`, () => {
    assert.ok(fs.statSync(file).size <= bounds.bytes, `${fs.statSync(file).size} bytes`);
  });

  for (const {width, scheme} of views) {
    test(`${name} has no fault at ${width} in ${scheme}`, async () => {
      const {page, seen, close} = await opened(name, {width, scheme});
      assert.equal(await overflow(page), 0, 'pixels stick out');
      if (width !== 768) {
        await page.evaluate(() => document.querySelectorAll('details').forEach((each, i) => { each.open = i < 40; }));
        assert.equal(await overflow(page), 0, 'pixels stick out of what was unfolded');
        assert.deepEqual(await violations(page), []);
      }
      assert.deepEqual(seen, {requests: [], complaints: []});
      await close();
    });
  }

  for (const width of bounds.picture ? widths : []) {
    test(`${name} looks as approved at ${width}`, async () => {
      const {page, close} = await opened(name, {width, scale: 0.5});
      const shot = PNG.sync.read(await page.screenshot());
      await close();
      const approved = path.join(here, 'approved', `${name}-${width}.png`);
      if (process.env.WARPMARK_APPROVE) fs.writeFileSync(approved, PNG.sync.write(shot));
      const wanted = PNG.sync.read(fs.readFileSync(approved));
      assert.deepEqual([shot.width, shot.height], [wanted.width, wanted.height]);
      const difference = new PNG({width: shot.width, height: shot.height});
      const pixels = pixelmatch(shot.data, wanted.data, difference.data, shot.width, shot.height, {threshold: 0.3});
      const share = pixels / (shot.width * shot.height);
      if (share > kDifferent) {
        for (const [kind, image] of [['now', shot], ['difference', difference]])
          fs.writeFileSync(path.join(work, `${name}-${width}-${kind}.png`), PNG.sync.write(image));
      }
      assert.ok(share <= kDifferent, `${(100 * share).toFixed(1)} % of the pixels differ; see ${work}/${name}-${width}-*.png`);
    });
  }

  test(`${name} says the same without script`, async () => {
    const text = async (script) => {
      const {page, close} = await opened(name, {script});
      // What only a script can use is hidden without it.
      const said = await page.locator('main, header').allTextContents();
      await close();
      return said.join(' ').replace(/\s+/g, ' ');
    };
    assert.equal(await text(false), await text(true));
  });

  test(`${name} takes few sheets of paper`, async () => {
    const {page, close} = await opened(name);
    const pdf = (await page.pdf({format: 'A4'})).toString('latin1');
    await close();
    const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g).length;
    assert.ok(sheets <= bounds.sheets, `${sheets} sheets`);
  });
}

test('links of the student page lead somewhere, and unfold what they lead to', async () => {
  const {page, close} = await opened('half_done');
  const targets = await page.locator('a[href^="#"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.ok(targets.length > 10);
  for (const target of new Set(targets)) assert.equal(await page.locator(target).count(), 1, target);
  const folded = await page.locator('details.card .inside').first().getAttribute('id');
  await page.locator(`.chips a[href="#${folded}"]`).click();
  assert.ok(await page.locator(`#${folded}`).isVisible());
  await close();
});

test('what to do next is in the first window, on a phone just below the score', async () => {
  for (const [width, most] of [[1280, 520], [390, 760]]) {
    const {page, close} = await opened('half_done', {width});
    const box = await page.locator('#next').boundingBox();
    assert.ok(box.y < most, `${box.y} at ${width}`);
    await close();
  }
});

test('names from submissions stay text', async () => {
  for (const [name, scripts] of [['hostile', 0], ['class_hostile', 1]]) {
    const {page, seen, close} = await opened(name);
    assert.equal(await page.evaluate(() => typeof window.hit), 'undefined');
    assert.equal(await page.locator('img, iframe, object, embed, base, link').count(), 0);
    assert.equal(await page.locator('script').count(), scripts);
    assert.match(await page.locator('main').innerText(), /<img src=x onerror=/);
    assert.deepEqual(seen, {requests: [], complaints: []});
    await close();
  }
});

test('the policy stops a script that is not the page\'s own', async () => {
  for (const name of ['student', 'class']) {
    const {page, close} = await opened(name);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hit = 1';
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => typeof window.hit), 'undefined');
    await close();
  }
});

test('the class sorts and filters', async () => {
  for (const name of ['class', 'class_3000']) {
    const {page, seen, close} = await opened(name);
    const points = () => page.locator('#students tbody tr:not([hidden]) td.final').allInnerTexts();
    const header = page.locator('#students thead th', {hasText: 'Final'});
    await header.getByRole('button').click();
    const rising = (await points()).map(Number);
    assert.equal(await header.getAttribute('aria-sort'), 'ascending');
    assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
    await header.getByRole('button').click();
    assert.deepEqual((await points()).map(Number), rising.reverse());
    await page.getByLabel('Filter').fill('no such student');
    assert.equal((await points()).length, 0);
    await page.getByLabel('Filter').fill((await page.locator('#students tbody th').first().textContent()).trim());
    assert.ok((await points()).length >= 1 && (await points()).length < rising.length);
    assert.deepEqual(seen, {requests: [], complaints: []});
    await close();
  }
});
