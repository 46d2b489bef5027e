import { EC2Client, type RouteTable } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { defaultRouteOf } from '#infra/cli/default-route.ts';

/** A VPC with one subnet, its main route table and, if it has one, the subnet's own. */
function vpcWith(main: RouteTable, own?: RouteTable): EC2Client {
  return Object.assign(new EC2Client({ region: 'us-east-1' }), {
    send: async ({
      input,
    }: {
      readonly input: { readonly Filters?: readonly { Name: string; Values: string[] }[] };
    }) => {
      if (input.Filters === undefined) return { Subnets: [{ VpcId: 'vpc-1' }] };
      const asked = input.Filters.map(({ Name, Values }) => `${Name}=${Values}`).join(' ');
      if (asked === 'association.subnet-id=subnet-1') return { RouteTables: own === undefined ? [] : [own] };
      return { RouteTables: asked === 'vpc-id=vpc-1 association.main=true' ? [main] : [] };
    },
  });
}

const to = (gateway: object, State: 'active' | 'blackhole' = 'active'): RouteTable => ({
  Routes: [
    { DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'local', State: 'active' },
    { DestinationCidrBlock: '0.0.0.0/0', State, ...gateway },
  ],
});

test.each([
  ['its own table', vpcWith(to({ GatewayId: 'igw-1' }), to({ NatGatewayId: 'nat-1' })), 'nat-1'],
  ['the main table of its VPC without one of its own', vpcWith(to({ NatGatewayId: 'nat-2' })), 'nat-2'],
  ['a route that is no NAT gateway', vpcWith(to({ GatewayId: 'igw-1' })), 'igw-1'],
  ['a gateway that is deleted', vpcWith(to({ NatGatewayId: 'nat-1' }, 'blackhole')), undefined],
  ['no route but that of the VPC', vpcWith({ Routes: [{ DestinationCidrBlock: '10.0.0.0/16' }] }), undefined],
])('the default route of a subnet with %s', async (_, ec2, expected) => {
  expect(await defaultRouteOf(ec2, 'subnet-1')).toBe(expected);
});
