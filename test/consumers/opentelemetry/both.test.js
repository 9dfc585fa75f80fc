import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { testSpans } from './spans.js';
import { startTracing } from './tracing.js';

const tracing = startTracing(new HttpInstrumentation(), new UndiciInstrumentation());
testSpans(tracing, { http: 'http', undici: 'undici' });
