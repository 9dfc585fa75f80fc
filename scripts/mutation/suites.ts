const TRANSPORT = [
  'client/{configuration,errors,requests,responses,sessions}',
  'errors/{codes,messages,next-step,refusal-details}',
  'faults/proof-*',
  'mocks/{global-fetch,http-request,undici-dispatcher}',
  'secrets/echoed',
  'transport/!(*.slow|error-forms)',
];
/** Every documented refusal in every form of a body, on every endpoint: half of the time of all. */
const REFUSALS = ['client/documented-refusals', 'transport/error-forms'];

const SAVED_STATES = 'delegation/saved-{notes,state}';

/**
 * The folders of `src` whose code is mutated, each with the test suites that judge its mutants: its
 * own ones. With every suite of the project one mutant takes minutes.
 */
export const SUITES: Readonly<Record<string, readonly string[]>> = {
  'evm/flow': ['evm/scripted/*', 'evm/!(page|*.slow)', SAVED_STATES],
  journal: ['journal/*'],
  server: ['server/*'],
  sessions: ['sessions/!(*.slow)', 'journal/users', 'server/sessions', 'transport/shared-renewals'],
  'solana/flow': ['solana/scripted/*', 'solana/!(*.slow)', SAVED_STATES],
  'transport/adapters': [
    ...TRANSPORT,
    'client/endpoint-credentials',
    'errors/configuration-messages',
    'faults/{faults,matrix,pooled-socket.slow,said-by-the-service}',
    'mocks/msw-node',
    'properties/validators',
    'react-native/*',
    'server/{origins,outcomes}',
  ],
  'transport/attempts': [
    ...TRANSPORT,
    'client/{done-responses,polling}',
    'endpoints/own-options',
    'server/outcomes',
  ],
  'transport/credentials': [
    ...TRANSPORT,
    'client/endpoint-credentials',
    'first-errors/*',
    'secrets/*',
    'sessions/!(*.slow)',
  ],
  'transport/declare': [
    ...TRANSPORT,
    'client/{raw-request,request-to-known-path}',
    'endpoints/*',
    'journal/own-endpoints',
  ],
  'transport/outcome': [
    ...TRANSPORT,
    ...REFUSALS,
    'client/{done-responses,raw-request}',
    'endpoints/*',
    'server/{outcomes,page-errors,page-results}',
  ],
  'transport/request': [
    ...TRANSPORT,
    'client/{money,raw-request}',
    'endpoints/*',
    'input/!(*.slow)',
    'observed/observe',
    'server/{inputs,operations}',
  ],
  // Without the suites that only send the same refusals through every endpoint and adapter.
  'transport/response': [
    'client/{configuration,done-responses,errors,promise,raw-request,requests,responses,sessions}',
    'errors/{codes,messages,next-step,refusal-details}',
    'faults/proof-responses',
    'first-errors/*',
    'mocks/{global-fetch,undici-dispatcher}',
    'observed/{observe,tolerance}',
    'properties/{responses,web-url}',
    'secrets/!(every-place)',
    'server/{every-code,page-errors,page-results,response-headers}',
    'transport/!(*.slow|abort|node-sockets|outcome-of|text-encoder|tls)',
  ],
  'transport/settings': [
    ...TRANSPORT,
    'client/{endpoint-credentials,raw-request}',
    'endpoints/*',
    'errors/configuration-messages',
    'input/{call-options-in-input,redirect-url}',
    'server/{options,page-results}',
    'service/recipients',
  ],
  webhooks: ['webhooks/*'],
};
