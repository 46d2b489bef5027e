import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type CanaryClients, createCanary } from '#shared/canary/run-as-canary.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { takeOffRamp } from './take-off-ramp.ts';

export const wire = (clients: CanaryClients, clock: Clock) => createCanary(clients, clock, takeOffRamp);

export const handler = wire(
  {
    secretsManager: new SecretsManagerClient(awsClientOptions),
    writeLine: (line) => process.stdout.write(`${line}\n`),
  },
  systemClock,
);
