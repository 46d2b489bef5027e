/** Calls whose arguments are read by people. What a person reads moves no money. */
const TEXT_CALLS = /^(?:log\.\w+|document(?:Values|Object|Event)|Error|RangeError|Unavailable|WriteConflict)$/;

const calleeOf = ({ callee }) =>
  callee?.type === 'MemberExpression' ? `${callee.object.name}.${callee.property.name}` : (callee?.name ?? '');

/** The config is its own plugin: mutants in texts are not made. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: { shouldIgnore: ({ node }) => (TEXT_CALLS.test(calleeOf(node)) ? 'It is read by people.' : undefined) },
  },
];

/** Mutants of what decides about money, and the unit tests that should notice them. */
export default {
  mutate: [
    'shared/{events,networks,off-ramps,pay-ins}/**/*.ts',
    'functions/{events,off-ramps,pay-ins}/**/*.ts',
    // What these rest on: exact decimals, conditional writes and their repetition, one creation for each key.
    'shared/platform/{amount,amount-in,retry,sweep,written-number}.ts',
    'shared/platform/dynamodb/{condition,idempotency-records,retry-on-conflict,transaction,update-item}.ts',
    'shared/platform/http/{idempotency,json}.ts',
    // Mostly texts, and the shapes of requests and answers, which openapi.json has and its tests hold.
    '!**/*-contract.ts',
    // Wirings are proven on the deployed stack.
    '!**/handler.ts',
    // Stand-ins of custodian, rail and user in the sandbox.
    '!**/simulate*/**',
    '!shared/off-ramps/held-payouts.ts',
    // Reads move nothing.
    '!functions/*/{get,list}-*/**',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner', './stryker.config.mjs'],
  ignorers: ['texts'],
  // Stryker rewrites a copy's tsconfig.json by the API of an older TypeScript. The tests need none.
  tsconfigFile: 'none',
  ignorePatterns: ['/.build', '/.local', '/.mutation', '/cdk.out', '/coverage'],
  tempDirName: '.mutation/sandbox',
  incrementalFile: '.mutation/incremental.json',
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: '.mutation/report.html' },
  jsonReporter: { fileName: '.mutation/report.json' },
};
