// The README's pictures of the samples: pictures.mjs SAMPLES.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const require = createRequire(path.join(process.env.WARPMARK_WORK, 'package.json'));
const {chromium} = require('playwright-core');
const samples = process.env.WARPMARK_PAGES;

const pictures = [
  {name: 'student', page: 'half_done', width: 1000, height: 1000, scale: 0.75},
  {name: 'phone', page: 'half_done', width: 390, height: 1000, scale: 0.75, scheme: 'dark'},
  {name: 'class', page: 'class', width: 1100, height: 1000, scale: 0.75},
  {name: 'speed', page: 'gpu', width: 1000, scale: 0.75, part: 'section[aria-labelledby="times"]'},
];

const browser = await chromium.launch({executablePath: process.env.WARPMARK_CHROMIUM, args: ['--no-sandbox', '--disable-gpu']});
fs.mkdirSync(path.join(samples, 'pictures'), {recursive: true});
for (const {name, page: sample, width, height = 900, scale, scheme = 'light', part} of pictures) {
  const file = path.join(samples, sample, 'index.html');
  if (!fs.existsSync(file)) continue;
  const page = await browser.newPage({viewport: {width, height}, deviceScaleFactor: scale, colorScheme: scheme});
  await page.goto(pathToFileURL(file).href);
  const target = path.join(samples, 'pictures', `${name}.png`);
  await (part ? page.locator(part) : page).screenshot({path: target});
  await page.close();
}
await browser.close();
