import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { testSpans } from './spans.js';
import { startTracing } from './tracing.js';

testSpans(startTracing(new UndiciInstrumentation()), { http: undefined, undici: 'undici' });
