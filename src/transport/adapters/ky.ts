import ky from 'ky';
import type { SendByFetch } from './fetch.js';

/**
 * Sends through ky, over the global `fetch` of the runtime. Deadlines, retries and errors depend on
 * the endpoint and are ours, so ky's own are off.
 */
export const sendByKy: SendByFetch = (url, init) =>
  ky(url, { ...init, retry: 0, timeout: false, throwHttpErrors: false });
