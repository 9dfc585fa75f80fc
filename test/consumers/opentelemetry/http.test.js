import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { testSpans } from './spans.js';
import { startTracing } from './tracing.js';

testSpans(startTracing(new HttpInstrumentation()), { http: 'http', undici: undefined });
