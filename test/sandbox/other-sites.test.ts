import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { startRecording, startService } from './record/record-calls.js';

/** Requests a URL as an image of a page of another site does: without `Origin`. */
const asImage = (url: string, site: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      'sec-fetch-site': site,
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    };
    const sent = request(url, { headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end();
  });

const SITES = ['cross-site', 'same-site'];

it.each(SITES)('an image of a page that is %s uses up no fault of the sandbox', async (site) => {
  const { url, platform, stop } = await startSandbox(0, 'demo');
  onTestFinished(stop);
  platform.fail('card.status', 503);
  expect(await asImage(`${url}/v1/card/status`, site)).toBe(403);
  expect(platform.requests).toHaveLength(0);
  expect(() => platform.assertFaultsUsed()).toThrow('fail card.status 503');
});

it.each(SITES)('a page that is %s can embed the image of a card', async (site) => {
  const { url, platform, stop } = await startSandbox(0, 'demo');
  onTestFinished(stop);
  const client = platform.clientFor(platform.users.get('alan@example.com'));
  const { imageUrl } = await client.card.createDetailsToken();
  expect(imageUrl.startsWith(url)).toBe(true);
  expect(await asImage(imageUrl, site)).toBe(200);
});

it.each(SITES)('an image of a page that is %s reaches no real service', async (site) => {
  const { url: service, received } = await startService((_, response) => response.end('{}'));
  const { url } = await startRecording(service);
  expect(await asImage(`${url}/v1/card/status`, site)).toBe(403);
  expect(received).toHaveLength(0);
});
