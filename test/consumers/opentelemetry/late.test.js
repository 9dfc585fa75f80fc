import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { clientOf, startService, WITHDRAW, withdraw } from './service.js';
import { startTracing } from './tracing.js';

it('a client that was made before tracing started has spans too', async () => {
  const service = await startService();
  const client = clientOf(service.baseUrl);
  await withdraw(client);
  const tracing = startTracing(new HttpInstrumentation());
  // The instrumentation patches node:http when somebody next asks for it.
  process.getBuiltinModule('node:http');
  await withdraw(client);
  assert.deepEqual(
    tracing.takeSpans().map(({ url, status }) => [url, status]),
    [[WITHDRAW, 200]],
  );
  assert.equal(service.takeRequests().length, 2);
  service.stop();
});
