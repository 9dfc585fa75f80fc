// Prints the number of files that Node loads for a contestant, without the contestant's own module
// and the one that all contestants share. A loader hook counts ESM, and the cache of `require`
// counts CommonJS.
import { createRequire, register } from 'node:module';

const HOOK = `
  let count;
  export function initialize(shared) { count = shared; }
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    const isOurs = /\\/bench\\/contestants\\//.test(url);
    if (url.startsWith('file:') && loaded.format === 'module' && !isOurs) Atomics.add(count, 0, 1);
    return loaded;
  }`;
const count = new Int32Array(new SharedArrayBuffer(4));
register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: count });

const [module] = process.argv.slice(2);
const { connect } = await import(module);
connect('http://127.0.0.1:9');
console.log(count[0] + Object.keys(createRequire(import.meta.url).cache).length);
