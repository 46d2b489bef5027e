/** Calls whose arguments people read: logs, errors that no client is told, the texts of openapi.json. */
const TEXT_CALLS = /^(?:log\.\w+|document[A-Z]\w+|(?:Range)?Error|(?:[A-Z]\w*)?Unavailable|WriteConflict)$/;

const calleeOf = ({ callee }) =>
  callee?.type === 'MemberExpression' ? `${callee.object.name}.${callee.property.name}` : (callee?.name ?? '');

/** Values with a sentence for each, which executions and operators read. */
const TEXTS = /^(?:message|reasonsInWords)$/;

/** True for such a call, also as a statement, the name of an error, and the message about a field of a request. */
const isText = (node) =>
  TEXT_CALLS.test(calleeOf(node)) ||
  (node.type === 'ExpressionStatement' && TEXT_CALLS.test(calleeOf(node.expression))) ||
  (node.type === 'ClassProperty' && node.key.name === 'name') ||
  (node.type === 'ObjectProperty' && node.key.name === 'message') ||
  (node.type === 'VariableDeclarator' && TEXTS.test(node.id.name));

/** This file is its own plugin: no mutants are made of texts, because what a person reads moves no money. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: { shouldIgnore: ({ node }) => (isText(node) ? 'It is read by people.' : undefined) },
  },
];

/** Mutants of code that decides about money, and the unit tests that should notice them. */
export default {
  mutate: [
    'shared/{networks,off-ramps,pay-ins}/**/*.ts',
    'shared/events/{write-with-events,event-repository,publish-events,service-event}.ts',
    'functions/{events,off-ramps,pay-ins}/**/*.ts',
    'functions/operators/operate-books/*.ts',
    // Code that these rest on: exact decimals, conditional writes and their repetition, one creation for each key.
    'shared/platform/books/*.ts',
    'shared/platform/{amount,amount-input,retry,sweep}.ts',
    'shared/platform/dynamodb/{conditional-write,idempotency-records,transaction}.ts',
    'shared/platform/http/{idempotency,json}.ts',
    // Who a webhook's event is signed for, where it may go, and when it is sent again.
    'shared/webhooks/http-client/{send-event,sign-webhook,ssrf-guard}.ts',
    'shared/webhooks/model/{delivery-outcome,webhook-health}.ts',
    // Mostly texts, and the shapes of requests and answers, which openapi.json and the operators' commands show and
    // their tests check.
    '!**/*-{commands,contract}.ts',
    // Wirings and settings are proven on the deployed stack.
    '!**/{handler,custodians,payment-rails}.ts',
    // Stand-ins of the sandbox for custodian, rail, payouts and users.
    '!**/simulate*/**',
    '!shared/off-ramps/store/held-payouts.ts',
    // Reads move nothing.
    '!functions/*/{get,list}-*/**',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner', './stryker.config.mjs'],
  ignorers: ['texts'],
  // Stryker rewrites a copy's tsconfig.json by the API of an older TypeScript. The tests need no tsconfig.json.
  tsconfigFile: 'none',
  ignorePatterns: ['/.build', '/.local', '/.mutation', '/cdk.out', '/coverage'],
  tempDirName: '.mutation/sandbox',
  incrementalFile: '.mutation/incremental.json',
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  // The score of all files was 96.2 when this was last raised.
  thresholds: { break: 96 },
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: '.mutation/report.html' },
  jsonReporter: { fileName: '.mutation/report.json' },
};
