import { keysOf } from '#shared/platform/collections.ts';

/** The purpose of a role of operators. */
export type Duty = 'operations' | 'requests' | 'approves';

/**
 * The commands of each role, in the policies that the documentation prints: every command is in one of them, and no
 * role has both sides of what takes two persons (decisions.md 9, Two persons).
 */
export const duties: Readonly<Record<Duty, readonly string[]>> = {
  /** Clients and what is delivered to them. */
  operations: [
    'create-client',
    'approve-client',
    'suspend-client',
    'rotate-secret',
    'end-previous-secret',
    'set-limits',
    'declare-certificate',
    'withdraw-certificate',
    'add-user',
    'update-user',
    'declare-wallet',
    'withdraw-wallet',
    'erase-user',
    'deactivate-bank',
    'activate-bank',
    'deactivate-token',
    'activate-token',
    'resend',
    'redrive-deliveries',
    'deactivate-webhook',
    'redrive-dead-letters',
    'run-books',
  ],
  /** Changes of money that one person may make or request. */
  requests: [
    'poll-deposit',
    'search-hash',
    'give-up-unreadable',
    'resolve-contradiction',
    'put-back',
    'settle-deposit',
    'unsettle-deposit',
    'credit-deposit',
    'request-return',
    'abort-return',
    'poll-payin',
    'expire-payin',
    'end-payin',
    'explain-difference',
    'withdraw-proposal',
  ],
  /** Decisions about what another person has requested. */
  approves: [
    'confirm-deposit',
    'confirm-payin',
    'confirm-difference',
    'approve-return',
    'decline-return',
    'start-return',
    'record-return',
  ],
};

const API = 'arn:aws:execute-api:<region>:<account>:<api-id>/<stage>';

/** The policy of a role, as IAM takes it once its placeholders are filled in. Every role may look everything up. */
function rolePolicy(duty: Duty): object {
  const stack = 'arn:aws:cloudformation:<region>:<account>:stack/payin-offramp-<stage>-operators/*';
  const routes = ['GET/operations/*', ...duties[duty].map((name) => `POST/operations/${name}`)];
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: routes.map((route) => `${API}/${route}`) },
      { Effect: 'Allow', Action: 'cloudformation:DescribeStacks', Resource: stack },
    ],
  };
}

/** The policies as the documentation prints them. */
export function printedPolicies(): string {
  return keysOf(duties)
    .map((duty) => `### \`${duty}\`\n\n\`\`\`json\n${JSON.stringify(rolePolicy(duty), null, 2)}\n\`\`\``)
    .join('\n\n');
}
