// Entry for browsers: runs the suite in the page or worker that loads it, and posts the results to
// SERVER_URL, which the bundler replaces.
import { runSuite } from './index.mjs';

const violations = [];
globalThis.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective} ${blockedURI}`);
});

async function runHere() {
  const response = await fetch(`${SERVER_URL}/options`);
  const results = await runSuite(await response.json());
  const failure = violations.join(', ');
  results.push({ name: 'CSP: nothing is reported', ...(failure !== '' && { failure }) });
  results.push({ name: 'CSP: is in force', ...(compiles() && { failure: 'a text was compiled' }) });
  return results;
}

function compiles() {
  try {
    new Function('');
    return true;
  } catch {
    return false;
  }
}

const done = runHere()
  .catch((error) => [{ name: 'the suite runs', failure: String(error?.stack ?? error) }])
  .then((results) =>
    fetch(`${SERVER_URL}/results`, { method: 'POST', body: JSON.stringify(results) }),
  );
// A service worker may be stopped when it has no event to handle.
globalThis.addEventListener('install', (event) => event.waitUntil(done));
