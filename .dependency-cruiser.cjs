/** The folders of the transport in the order in which a call passes through them. */
const STEPS = [
  'declare',
  'settings',
  'request',
  'credentials',
  'attempts',
  'adapters',
  'outcome',
  'response',
];

/** A file imports from its own folder and from later ones, so a call passes in one direction. */
const orderOfSteps = STEPS.slice(1).map((room, index) => ({
  name: `transport-${room}-imports-no-earlier-step`,
  severity: 'error',
  from: { path: `^src/transport/${room}/` },
  to: { path: `^src/transport/(${STEPS.slice(0, index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-no-other-folder',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^src/', pathNot: '^src/contract/' },
    },
    {
      name: 'errors-know-types-of-the-contract',
      severity: 'error',
      from: { path: '^src/errors/' },
      to: { path: '^src/', pathNot: '^src/(errors|contract)/' },
    },
    {
      name: 'errors-load-nothing-else',
      comment: 'The codes that the contract documents are types.',
      severity: 'error',
      from: { path: '^src/errors/' },
      to: { path: '^src/', pathNot: '^src/errors/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'transport-imports-only-contract-and-errors',
      comment: 'And the types of what a journal returns.',
      severity: 'error',
      from: { path: '^src/transport/' },
      to: {
        path: '^src/',
        pathNot: '^src/(transport|contract|errors)/|^src/journal/journal-types\\.ts$',
      },
    },
    {
      name: 'clients-get-their-journal-as-a-value',
      comment: 'A page without a journal does not pay for one.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/journal/' },
      to: { path: '^src/journal/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'imports-are-static',
      comment: 'Nothing is loaded behind the back of the caller.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['dynamic-import'] },
    },
    ...orderOfSteps,
    {
      name: 'transport-steps-do-not-import-the-call',
      comment: 'The files beside the folders import the steps, never the other way round.',
      severity: 'error',
      from: { path: '^src/transport/[^/]+/' },
      to: { path: '^src/transport/[^/]+\\.ts$' },
    },
    {
      name: 'transport-has-no-other-folders',
      comment: 'A new folder must take its place in the order.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/transport/[^/]+/', pathNot: `^src/transport/(${STEPS.join('|')})/` },
    },
    {
      name: 'formats-import-only-contract-and-errors',
      severity: 'error',
      from: { path: '^src/formats/' },
      to: { path: '^src/', pathNot: '^src/(formats|contract/formats|errors)/' },
    },
    {
      name: 'resources-import-no-helpers',
      severity: 'error',
      from: { path: '^src/(resources|flows|client)' },
      to: { path: '^src/(endpoints|evm|solana|delegation|testing|sandbox|schemas|webhooks)/' },
    },
    {
      name: 'endpoints-import-no-methods',
      comment: 'A page that counts bytes must not load the methods for a single call.',
      severity: 'error',
      from: { path: '^src/endpoints/' },
      to: { path: '^src/', pathNot: '^src/(endpoints|contract|transport|errors|journal)/' },
    },
    {
      name: 'sessions-and-reveals-load-no-call',
      comment: 'They hand tokens and URLs on. The application sends.',
      severity: 'error',
      from: { path: '^src/(sessions|card-reveal)/' },
      to: {
        path: '^src/',
        pathNot: '^src/(sessions|card-reveal|browser|contract|errors|journal|stores|transport)/',
      },
    },
    {
      name: 'stores-load-only-their-contract',
      severity: 'error',
      from: { path: '^src/stores/' },
      to: { path: '^src/', pathNot: '^src/(stores|errors)/|^src/transport/attempts/clock\\.ts$' },
    },
    {
      name: 'observed-sends-by-public-means',
      comment: 'It declares its fields as the contract does, and copies inputs as a call does.',
      severity: 'error',
      from: { path: '^src/observed/' },
      to: {
        path: '^src/|node_modules/',
        pathNot:
          '^src/(observed|contract|errors)/|^src/((endpoints|sessions)/)?index\\.ts$|^src/transport/request/copy-input\\.ts$|node_modules/(@noble/hashes|zod)/',
      },
    },
    {
      name: 'nothing-imports-observed',
      comment: 'Nothing of the contract depends on what was only seen.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/observed/' },
      to: { path: '^src/observed/' },
    },
    {
      name: 'query-loads-only-errors',
      severity: 'error',
      from: { path: '^src/query/' },
      to: {
        path: '^src/',
        pathNot: '^src/(query/|errors/|transport/outcome/outcome-of\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'query-loads-no-library',
      severity: 'error',
      from: { path: '^src/query/' },
      to: { path: 'node_modules/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-query',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/query/' },
      to: { path: '^src/query/' },
    },
    {
      name: 'server-imports-no-methods',
      comment: 'The proxy sends through the client that it gets.',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/', pathNot: '^src/(server|contract|transport|errors)/' },
    },
    {
      name: 'nothing-imports-server',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/' },
      to: { path: '^src/server/' },
    },
    {
      name: 'flows-import-no-endpoint',
      severity: 'error',
      from: { path: '^src/flows/' },
      to: { path: '^src/(resources|contract)/' },
    },
    {
      name: 'chains-import-only-contract-errors-and-stores',
      comment: 'And what a store needs: a clock, and whether this is a page.',
      severity: 'error',
      from: { path: '^src/(evm|solana|delegation)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(evm|solana|delegation|contract|errors|stores)/|^src/transport/(attempts/clock|adapters/runtime)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'wagmi-imports-only-the-evm-flow',
      severity: 'error',
      from: { path: '^src/wagmi/' },
      to: { path: '^src/|node_modules/', pathNot: '^src/(wagmi|evm|delegation|stores)/' },
    },
    {
      name: 'chains-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/(evm|solana)/' },
      to: { path: '^src/(evm|solana)/', pathNot: '^src/$1/' },
    },
    {
      name: 'testing-imports-only-the-contract',
      comment: 'If the mock shared code with the client, it would share its mistakes.',
      severity: 'error',
      from: { path: '^src/testing/', pathNot: '^src/testing/client-for\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(testing|contract)/' },
    },
    {
      name: 'sandbox-imports-only-testing-and-formats',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: '^src/sandbox/(record|commands)/' },
      to: { path: '^src/', pathNot: '^src/(sandbox|testing|contract/formats)/' },
    },
    {
      name: 'sandbox-record-imports-contract-and-redaction',
      comment: 'It compares a real service with the contract, as the client does.',
      severity: 'error',
      from: { path: '^src/sandbox/(record|commands)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(sandbox|testing|contract)/|^src/transport/response/(drift|error-body|redact)\\.ts$',
      },
    },
    {
      name: 'nothing-imports-testing',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(testing|sandbox)/' },
      to: { path: '^src/(testing|sandbox)/' },
    },
    {
      name: 'root-reaches-no-peer',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: 'node_modules/(viem|@solana|msw)/', reachable: true },
    },
    {
      name: 'ethers-adapter-imports-no-library',
      comment: 'The caller passes signers and providers of ethers 5 or 6.',
      severity: 'error',
      from: { path: '^src/evm/ethers/' },
      to: { path: 'node_modules/' },
    },
    {
      name: 'peers-stay-in-their-folders',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(evm|solana/web3|testing/msw|testing/wallets)/' },
      to: { path: 'node_modules/(viem|@solana|msw)/' },
    },
    {
      name: 'no-node-modules-by-import',
      comment: 'The entries run in browsers and on edge runtimes too.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandbox/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
