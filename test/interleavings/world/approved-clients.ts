import { marshall } from '@aws-sdk/util-dynamodb';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';

/** Lets these clients call; nothing that is simulated takes their approval away. */
export function putApprovedClients({ tables }: Pick<Engine, 'tables'>, clientIds: Iterable<string>): void {
  const clients = tables.get('clients');
  for (const clientId of clientIds) {
    const item = marshall({ clientId, complianceStatus: 'approved', status: 'approved', secretDigests: [] });
    clients?.write(clients.keyOf(item), item);
  }
}
