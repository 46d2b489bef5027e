import { DescribeRouteTablesCommand, DescribeSubnetsCommand, type EC2Client } from '@aws-sdk/client-ec2';

/**
 * The id of the gateway to which a subnet sends traffic for the internet; undefined when its route table has no such
 * route, or when the target of the route no longer exists.
 *
 * @throws when the subnet is not in this account and region
 */
export async function defaultRouteOf(ec2: EC2Client, subnet: string): Promise<string | undefined> {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [subnet] }));
  const tablesWith = async (Filters: { readonly Name: string; readonly Values: string[] }[]) =>
    (await ec2.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables ?? [];
  const own = await tablesWith([{ Name: 'association.subnet-id', Values: [subnet] }]);
  // A subnet without its own route table uses the main one of its VPC.
  const tables =
    own.length > 0
      ? own
      : await tablesWith([
          { Name: 'vpc-id', Values: Subnets.flatMap(({ VpcId = [] }) => VpcId) },
          { Name: 'association.main', Values: ['true'] },
        ]);
  const route = tables
    .flatMap(({ Routes = [] }) => Routes)
    .find(({ DestinationCidrBlock, State }) => DestinationCidrBlock === '0.0.0.0/0' && State === 'active');
  return route?.NatGatewayId ?? route?.GatewayId ?? route?.TransitGatewayId ?? route?.NetworkInterfaceId;
}
