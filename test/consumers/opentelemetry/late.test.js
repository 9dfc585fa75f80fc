import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { clientOf, startService, WITHDRAW, withdraw } from './service.js';
import { startTracing } from './tracing.js';

it('a client created before tracing started also records spans', async () => {
  const service = await startService();
  const client = clientOf(service.baseUrl);
  await withdraw(client);
  const tracing = startTracing(new HttpInstrumentation());
  // The instrumentation patches node:http at its next import.
  process.getBuiltinModule('node:http');
  await withdraw(client);
  assert.deepEqual(
    tracing.takeSpans().map(({ url, status }) => [url, status]),
    [[WITHDRAW, 200]],
  );
  assert.equal(service.takeRequests().length, 2);
  service.stop();
});
