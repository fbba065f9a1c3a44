import { brotliCompressSync } from 'node:zlib';
import { settle } from './settle.js';

/** What is weighed: our script and the peers' bundles, not the bench's own pages. */
const weighed = /^\/(dist|peer)\//;

/**
 * Weighs what a visitor's browser fetches, in a visit of its own: kB after brotli at quality 11, when the page has come
 * to rest, and when a short answer with a link, a list and a table stands there too.
 * @param {import('playwright').Browser} browser
 * @param {string} address of the page
 */
export async function weigh(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const { origin } = new URL(address);
  const weights = [];
  const otherHosts = new Set();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) otherHosts.add(url.host);
  });
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.origin !== origin || !weighed.test(url.pathname)) return;
    weights.push(response.body().then((body) => brotliCompressSync(body).length / 1000));
  });
  const total = async () => {
    const sum = (await Promise.all(weights)).reduce((heavier, weight) => heavier + weight, 0);
    return Number(sum.toFixed(1));
  };
  await page.goto(address);
  await page.evaluate(() => window.ready);
  await settle(page);
  const load = await total();
  await page.evaluate(() => window.measure('brief 1000 200'));
  await settle(page);
  const answer = await total();
  await context.close();
  return { load, answer, otherHosts: [...otherHosts] };
}
